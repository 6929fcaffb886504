package typegen_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/typegen"
)

// triggers are every form of schema that a type says something of, and some that none can.
func triggers(t *testing.T) []typegen.Trigger {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "schemas.json"))
	require.NoError(t, err)
	var schemas map[string]map[string]any
	require.NoError(t, json.Unmarshal(raw, &schemas))
	var all []typegen.Trigger
	for identifier, schema := range schemas {
		all = append(all, typegen.Trigger{Identifier: identifier, Name: "The " + identifier, Schema: schema})
	}
	return append(all, typegen.Trigger{Identifier: "plain"})
}

// golden compares with what is kept in testdata. UPDATE=1 keeps what is written now.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file) //nolint:gosec // a file of this test
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestTypeScript(t *testing.T) {
	t.Parallel()
	got, err := typegen.Generate("ts", "", triggers(t))
	require.NoError(t, err)
	golden(t, "payloads.ts", got)
}

func TestGo(t *testing.T) {
	t.Parallel()
	got, err := typegen.Generate("go", "triggers", triggers(t))
	require.NoError(t, err)
	golden(t, "payloads.go.txt", got)
	compiles(t, got)
}

func TestPython(t *testing.T) {
	t.Parallel()
	got, err := typegen.Generate("py", "", triggers(t))
	require.NoError(t, err)
	golden(t, "payloads.py.txt", got)
	none, err := typegen.Generate("py", "", nil)
	require.NoError(t, err)
	interpreted(t, got, none)
}

// interpreted compiles and runs Python files, which fails on every type that is none, and evaluates the types in quotes.
func interpreted(t *testing.T, sources ...[]byte) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	dir := t.TempDir()
	for i, source := range sources {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("payloads%d.py", i)), source, 0o600))
	}
	const evaluate = `import glob, importlib, os, py_compile, sys, typing
if sys.version_info < (3, 11):
    sys.exit(77)
sys.path.insert(0, sys.argv[1])
for file in glob.glob(sys.argv[1] + "/*.py"):
    print(file)
    py_compile.compile(file, doraise=True)
    module = importlib.import_module(os.path.basename(file)[:-3])
    for name, value in vars(module).items():
        if typing.is_typeddict(value):
            typing.get_type_hints(value)
        elif isinstance(value, str) and name[0].isupper():
            eval(value, vars(module).copy())
`
	cmd := exec.CommandContext(t.Context(), python, "-c", evaluate, dir)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() == 77 {
		t.Skip("this python3 is older than 3.11")
	}
	require.NoError(t, err, "%s", out)
}

func compiles(t *testing.T, source []byte) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "payloads.go", source, parser.ParseComments)
	require.NoError(t, err)
	_, err = (&gotypes.Config{}).Check("triggers", files, []*ast.File{file}, nil)
	require.NoError(t, err, string(source))
}

func TestWrongWishes(t *testing.T) {
	t.Parallel()
	_, err := typegen.Generate("cobol", "", nil)
	require.ErrorContains(t, err, "cobol")
	_, err = typegen.Generate("go", "not a name", nil)
	require.ErrorContains(t, err, "not a name")
}

// FuzzGo: whatever a schema says, what is written compiles.
func FuzzGo(f *testing.F) {
	f.Add([]byte(`{"properties": {"a": {"type": "string"}, "A": {"enum": ["", "-", "1"]}, "a\"b": true}}`))
	f.Add([]byte(`{"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"x": {"$ref": "#/$defs/x"}}}}}`))
	f.Add([]byte(`{"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}`))
	f.Add([]byte(`{"allOf": [{"$ref": "#"}, {"type": "object"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var schema map[string]any
		if json.Unmarshal(raw, &schema) != nil {
			return
		}
		got, err := typegen.Generate("go", "triggers", []typegen.Trigger{{Identifier: "a", Schema: schema}, {Identifier: "A", Schema: schema}})
		require.NoError(t, err)
		compiles(t, got)
	})
}
