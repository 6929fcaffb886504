package configfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Read reads a directory. Errors name the file and, for YAML, the line.
func Read(dir string) (*Directory, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the directory: %w", err)
	}
	defer func() { _ = root.Close() }()
	r := &reader{root: root, out: &Directory{Document: map[string]any{}, Files: map[string][]string{}, Texts: map[string]string{}, lines: map[string]int{}}}
	if err := r.misnamed(); err != nil {
		return nil, err
	}
	r.out.pulled = r.has(schemaDir)
	for _, p := range places {
		var err error
		if p.file != "" {
			err = r.readFile(p)
		} else {
			err = r.readDir(p)
		}
		if err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

type reader struct {
	root  *os.Root
	out   *Directory
	files int
	used  []string // files of the resource that is read
}

// has reports whether there is a file or directory of the name, be it one that cannot be read.
func (r *reader) has(file string) bool {
	_, err := r.root.Lstat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

func (r *reader) add(p place, name string, value any) {
	section, _ := r.out.Document[p.section].(map[string]any)
	if section == nil {
		section = map[string]any{}
		r.out.Document[p.section] = section
	}
	section[name] = value
	r.out.Files[p.section+"."+name] = r.used
}

func (r *reader) readFile(p place) error {
	r.used = nil
	if !r.has(p.file) {
		return nil
	}
	value, err := r.yaml(p.file, p.section)
	if err != nil {
		return err
	}
	resources, ok := value.(map[string]any)
	if !ok && value != nil {
		return fmt.Errorf("%s: must map names to resources", p.file)
	}
	r.out.Document[p.section] = map[string]any{}
	for name, one := range resources {
		if one == nil {
			one = map[string]any{}
		}
		r.add(p, name, one)
	}
	return nil
}

func (r *reader) readDir(p place) error {
	entries, err := fs.ReadDir(r.root.FS(), p.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", p.dir, err)
	}
	r.out.Document[p.section] = map[string]any{}
	for _, entry := range entries {
		base, file := entry.Name(), path.Join(p.dir, entry.Name())
		switch {
		case strings.HasPrefix(base, "."):
			continue
		case p.own && entry.IsDir():
			file = path.Join(file, workflowFile)
		case !p.own && path.Ext(base) == ".yaml":
			base = strings.TrimSuffix(base, ".yaml")
		case path.Ext(base) == ".yaml" || path.Ext(base) == ".yml":
			return fmt.Errorf("%s: is not read: name it %s", file, p.path(strings.TrimSuffix(base, path.Ext(base))))
		default:
			continue // a template
		}
		name, err := nameOf(base)
		if err != nil {
			return err
		}
		if twice := r.out.Files[p.section+"."+name]; twice != nil {
			return fmt.Errorf("%s: is of the same name as %s", file, twice[0])
		}
		r.used = nil
		value, err := r.yaml(file, p.section+"."+name)
		if err != nil {
			return err
		}
		r.add(p, name, value)
	}
	return nil
}

// yaml reads a file, with the texts of the files that it names. at is the path of its value in the document.
func (r *reader) yaml(file, at string) (any, error) {
	raw, err := r.raw(file)
	if err != nil {
		return nil, err
	}
	var value, more any
	raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // some editors begin with this mark
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	if err := decoder.Decode(&value); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s", file, yaml.FormatError(err, false, true))
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) && (err != nil || more != nil) {
		return nil, fmt.Errorf("%s: has more than one YAML document: one file holds one", file)
	}
	if parsed, err := parser.ParseBytes(raw, 0); err == nil && len(parsed.Docs) > 0 {
		r.noteLines(at, parsed.Docs[0].Body)
	}
	return r.resolve(file, at, value)
}

// noteLines keeps the lines of what is in a node, whose path in the document is at.
func (r *reader) noteLines(at string, node ast.Node) {
	switch n := node.(type) {
	case *ast.MappingNode:
		for _, member := range n.Values {
			r.noteLines(at, member)
		}
	case *ast.MappingValueNode:
		if key := n.Key.GetToken(); key != nil {
			at += "." + strings.TrimSuffix(key.Value, "@")
			r.out.lines[at] = key.Position.Line
		}
		r.noteLines(at, n.Value)
	case *ast.SequenceNode:
		for i, item := range n.Values {
			inside := at + "." + strconv.Itoa(i)
			r.out.lines[inside] = item.GetToken().Position.Line
			r.noteLines(inside, item)
		}
	case *ast.AnchorNode:
		r.noteLines(at, n.Value)
	case *ast.TagNode:
		r.noteLines(at, n.Value)
	}
}

// resolve puts the texts of files in the place of their names.
func (r *reader) resolve(file, at string, value any) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, below := range v {
			var err error
			if below, err = r.resolve(file, at+"."+name, below); err != nil {
				return nil, err
			}
			if plain, isFile := strings.CutSuffix(name, "@"); isFile && plain != "" {
				if _, twice := v[plain]; twice {
					return nil, fmt.Errorf("%s: has both %s and %s", file, plain, name)
				}
				if below, err = r.text(file, name, at+"."+plain, below); err != nil {
					return nil, err
				}
				name = plain
			}
			out[name] = below
		}
		return out, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = r.resolve(file, at+"."+strconv.Itoa(i), v[i]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

func (r *reader) text(file, member, at string, name any) (string, error) {
	text, ok := name.(string)
	if !ok {
		return "", fmt.Errorf("%s: %s must be the name of a file", file, member)
	}
	text = path.Join(path.Dir(file), text)
	raw, err := r.raw(text)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", file, member, err)
	}
	r.out.Texts[at] = text
	return string(raw), nil
}

// raw reads one file of text. What is outside the directory cannot be read, whatever the path or a link says.
func (r *reader) raw(file string) ([]byte, error) {
	if r.files++; r.files > maxFiles {
		return nil, fmt.Errorf("there are more than %d files", maxFiles)
	}
	f, err := r.root.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file", file)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("%s: is larger than %d bytes", file, maxFile)
	}
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("%s: is no UTF-8 text", file)
	}
	r.used = append(r.used, file)
	return raw, nil
}
