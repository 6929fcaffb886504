package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

// useOfTypes is what a team does with the types: it compiles when they say what the schema says.
const useOfTypes = `package main

import (
	"encoding/json"
	"os"

	"team/triggers"
)

func main() {
	payload := triggers.OrderPaidPayload{Number: 7, Lines: []triggers.OrderPaidLine{{Sku: "a"}}}
	_ = json.NewEncoder(os.Stdout).Encode(payload)
}
`

func TestTypes(t *testing.T) {
	t.Parallel()
	key, env := newKey(), migrated(t)
	p := serve(t, child.Config{DataDir: t.TempDir(), Key: key, Env: env})
	api := &client.Client{URL: p.URL(), Key: key}
	const create = `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`
	schema := func(required string) object {
		return object{
			"type": "object", "required": []string{required},
			"properties": object{"number": object{"type": "integer"}, "lines": object{"type": "array", "items": object{"$ref": "#/$defs/line"}}},
			"$defs":      object{"line": object{"type": "object", "required": []string{"sku"}, "properties": object{"sku": object{"type": "string"}}}},
		}
	}
	steps := []object{{"type": "IN_APP", "inApp": object{"body": "x"}}}
	graphQL(t, api, create, object{"input": object{"identifier": "order-paid", "name": "Order paid", "definition": object{"steps": steps, "payloadSchema": schema("number")}}}, nil)
	graphQL(t, api, create, object{"input": object{
		"identifier": "only-a-draft", "name": "Only a draft", "publish": false,
		"definition": object{"steps": steps, "payloadSchema": schema("lines")},
	}}, nil)
	graphQL(t, api, `mutation($id: ID!, $schema: JSON) { updateWorkflow(input: {id: $id, publish: false,
		definition: {steps: [{type: IN_APP, inApp: {body: "x"}}], payloadSchema: $schema}}) { workflow { id } } }`,
		object{"id": workflowID(t, api, "order-paid"), "schema": object{"type": "string"}}, nil)

	work := t.TempDir()
	out := map[string]string{}
	for _, lang := range []string{"go", "ts"} {
		database := filepath.Join(work, "database."+lang)
		stdout, stderr, code := run(t, env, "types", "--lang", lang, "--out", database)
		require.Zero(t, code, stderr)
		require.Empty(t, stdout)
		text, err := os.ReadFile(database)
		require.NoError(t, err)
		server, stderr, code := run(t, []string{"CARILLON_API_KEY=" + key}, "types", "--lang", lang, "--url", p.URL())
		require.Zero(t, code, stderr)
		require.Equal(t, string(text), server, "the database and the server say the same")
		out[lang] = server
	}
	for _, name := range []string{"order-paid", "only-a-draft", "hello"} {
		require.Contains(t, out["ts"], name)
	}
	require.Contains(t, out["ts"], "number: number", "what is published counts, not the draft")

	folder := filepath.Join(work, "team", "triggers")
	require.NoError(t, os.MkdirAll(folder, 0o750))
	for name, text := range map[string]string{"../go.mod": "module team\n\ngo 1.26\n", "../main.go": useOfTypes, "triggers.go": out["go"]} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	team := exec.CommandContext(t.Context(), "go", "run", ".")
	team.Dir, team.Env = filepath.Join(work, "team"), append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	printed, err := team.CombinedOutput()
	require.NoError(t, err, "%s\n%s", printed, out["go"])
	var payload object
	require.NoError(t, json.Unmarshal(printed, &payload))
	require.Equal(t, object{"number": 7., "lines": []any{map[string]any{"sku": "a"}}}, payload)

	_, stderr, code := run(t, env, "types", "--lang", "go", "--environment", "nowhere")
	require.NotZero(t, code)
	require.Contains(t, strings.ToLower(stderr), "environment")
	_, stderr, code = run(t, nil, "types", "--lang", "go", "--url", p.URL(), "--key", "wrong")
	require.NotZero(t, code)
	require.NotEmpty(t, stderr)
}

// workflowID is the global id of a workflow.
func workflowID(t *testing.T, api *client.Client, identifier string) string {
	t.Helper()
	var out struct{ WorkflowByReference struct{ ID string } }
	graphQL(t, api, `query($r: String!) { workflowByReference(reference: $r) { id } }`, object{"r": identifier}, &out)
	return out.WorkflowByReference.ID
}
