package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// Body is the content of a request that overrides can still be merged into.
type Body interface {
	merge(over map[string]any)
	encode(to *bytes.Buffer) (contentType string, err error)
}

// JSON is a JSON body. Root is an object, or an array whose first element is the object that overrides meet.
type JSON struct{ Root any }

func (b *JSON) merge(over map[string]any) {
	switch root := b.Root.(type) {
	case map[string]any:
		b.Root = Merge(root, over)
	case []any:
		if len(root) > 0 {
			if first, ok := root[0].(map[string]any); ok {
				root[0] = Merge(first, over)
			}
		}
	}
}

func (b *JSON) encode(to *bytes.Buffer) (string, error) {
	data, err := EncodeJSON(b.Root)
	to.Write(data)
	return "application/json", err
}

// EncodeJSON writes v with sorted keys and without escaping <, > and &.
func EncodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode body: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Form is an application/x-www-form-urlencoded body, fields sorted by name.
type Form url.Values

func (b Form) merge(over map[string]any) { mergeFields(url.Values(b), over) }

func (b Form) encode(to *bytes.Buffer) (string, error) {
	_, err := to.WriteString(url.Values(b).Encode())
	return "application/x-www-form-urlencoded", err
}

// Multipart is a multipart/form-data body: fields sorted by name, then files in the order given.
type Multipart struct {
	Fields   url.Values
	Files    []FilePart
	Boundary string // must not occur in any part: derive it from the message id
}

// FilePart is one file of a form.
type FilePart struct {
	Field, Name, MIME string
	Data              []byte
}

func (b *Multipart) merge(over map[string]any) { mergeFields(b.Fields, over) }

func (b *Multipart) encode(to *bytes.Buffer) (string, error) {
	w := multipart.NewWriter(to)
	if b.Boundary != "" {
		if err := w.SetBoundary(b.Boundary); err != nil {
			return "", fmt.Errorf("encode body: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		for _, v := range b.Fields[name] {
			if err := w.WriteField(name, v); err != nil {
				return "", fmt.Errorf("encode body: %w", err)
			}
		}
	}
	for _, f := range b.Files {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", multipart.FileContentDisposition(f.Field, f.Name))
		h.Set("Content-Type", f.MIME)
		part, err := w.CreatePart(h)
		if err == nil {
			_, err = part.Write(f.Data)
		}
		if err != nil {
			return "", fmt.Errorf("encode body: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("encode body: %w", err)
	}
	return w.FormDataContentType(), nil
}

// Raw is a body that overrides cannot change.
type Raw struct {
	Data        []byte
	ContentType string
}

func (Raw) merge(map[string]any) {}

func (b Raw) encode(to *bytes.Buffer) (string, error) {
	_, err := to.Write(b.Data)
	return b.ContentType, err
}

// mergeFields lays overrides over a form: a scalar sets the field, an array repeats it, an object goes in as JSON text,
// null takes the field away.
func mergeFields(fields url.Values, over map[string]any) {
	for k, v := range over {
		switch v := v.(type) {
		case nil:
			fields.Del(k)
		case []any:
			fields.Del(k)
			for _, item := range v {
				fields.Add(k, fieldText(item))
			}
		default:
			fields.Set(k, fieldText(v))
		}
	}
}

func fieldText(v any) string {
	if s := Text(v); s != "" || v == "" {
		return s
	}
	data, err := EncodeJSON(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// Present takes out of m what has no value: nil, "", empty lists and maps. Numbers and booleans stay. Vendors read an
// empty member as an order to clear, or refuse it.
func Present(m map[string]any) map[string]any {
	for k, v := range m {
		if v == nil || empty(reflect.ValueOf(v)) {
			delete(m, k)
		}
	}
	return m
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return false
	}
}

// PresentForm is a form of the fields that have a value.
func PresentForm(fields map[string]string) Form {
	f := Form{}
	for k, v := range fields {
		if strings.TrimSpace(v) != "" {
			f[k] = []string{v}
		}
	}
	return f
}
