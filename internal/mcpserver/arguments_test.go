package mcpserver_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// property is one argument of a tool's schema.
type property struct {
	Type      string // one: the inspector of the protocol, and some assistants, do not read a list of types
	Enum      []string
	Items     *property
	Maximum   *float64
	Minimum   *float64
	MaxLength *int
}

// offered are the tools with the schemas of their arguments.
func offered(t *testing.T, session *mcp.ClientSession) map[string]struct {
	Required             []string
	Properties           map[string]property
	AdditionalProperties any
} {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	tools := map[string]struct {
		Required             []string
		Properties           map[string]property
		AdditionalProperties any
	}{}
	for _, tool := range list.Tools {
		raw, err := json.Marshal(tool.InputSchema)
		require.NoError(t, err)
		schema := tools[tool.Name]
		require.NoError(t, json.Unmarshal(raw, &schema), tool.Name)
		tools[tool.Name] = schema
	}
	return tools
}

// good is a value that a property takes, and wrong are values that it does not.
func (p property) good() any {
	switch {
	case len(p.Enum) > 0:
		return p.Enum[0]
	case p.Type == "integer":
		return 1
	case p.Type == "boolean":
		return true
	case p.Type == "object":
		return object{}
	case p.Type == "array":
		return []any{}
	}
	return "x"
}

func (p property) wrong() (values []any) {
	values = []any{[]any{[]any{}}}
	switch p.good().(type) {
	case string:
		values = append(values, 7, object{}, true)
	case int:
		values = append(values, "seven", 1.5, -1, 1e9)
	case bool:
		values = append(values, "true", 1)
	case object:
		values = append(values, "x", []any{})
	case []any:
		values = append(values, "x", object{}, []any{7})
	}
	if len(p.Enum) > 0 {
		values = append(values, "none-such", "")
	}
	return values
}

// TestArgumentsOfEveryTool: a tool whose required argument is missing, or that is given one that it does not know or one of
// another type, answers with the argument's name, and asks the API nothing.
func TestArgumentsOfEveryTool(t *testing.T) {
	t.Parallel()
	session, fake := connected(t, "", true, object{"data": object{}})
	tools := offered(t, session)
	require.Greater(t, len(tools), 12)
	for name, schema := range tools {
		complete := func() object {
			arguments := object{}
			for _, required := range schema.Required {
				arguments[required] = schema.Properties[required].good()
			}
			return arguments
		}
		refused := func(arguments object, argument string) {
			t.Helper()
			text, failed := used(t, session, name, arguments)
			require.True(t, failed, "%s %v: %s", name, arguments, text)
			require.Contains(t, text, argument, "%s %v", name, arguments)
		}
		for _, required := range schema.Required {
			arguments := complete()
			delete(arguments, required)
			refused(arguments, required)
		}
		arguments := complete()
		arguments["noSuchArgument"] = "x"
		refused(arguments, "noSuchArgument")
		for argument, p := range schema.Properties {
			for _, value := range p.wrong() {
				arguments := complete()
				arguments[argument] = value
				refused(arguments, argument)
			}
		}
	}
	require.Empty(t, fake.asked)
}

// TestDocuments: what the documents say is found and read without the API; what is in none says so.
func TestDocuments(t *testing.T) {
	t.Parallel()
	session, fake := connected(t, "", false, object{})
	text, failed := used(t, session, "search_docs", object{"query": "idempotency key"})
	require.False(t, failed, text)
	require.Contains(t, text, "decisions")
	text, failed = used(t, session, "search_docs", object{"query": "zzzz-no-such-word"})
	require.False(t, failed, text)
	require.NotContains(t, text, "decisions")
	text, failed = used(t, session, "read_doc_section", object{"document": "semantics", "section": "5"})
	require.False(t, failed, text)
	require.Contains(t, text, "Threshold default 1")
	require.NotContains(t, text, "quiet hours", "one section, not the next")
	resources, err := session.ListResources(t.Context(), nil)
	require.NoError(t, err)
	for _, r := range resources.Resources {
		read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		require.NoError(t, err, r.URI)
		require.NotEmpty(t, read.Contents[0].Text, r.URI)
	}
	_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "carillon://docs/none-such"})
	require.Error(t, err)
	require.Empty(t, fake.asked)
}

// TestOneWorkflow: a workflow is asked for by what the caller knows of it, and answered alone.
func TestOneWorkflow(t *testing.T) {
	t.Parallel()
	session, fake := connected(t, "", false, object{"data": object{"workflowByReference": object{"identifier": "welcome"}}})
	text, failed := used(t, session, "get_workflow", object{"workflow": "welcome"})
	require.False(t, failed, text)
	require.JSONEq(t, `{"identifier":"welcome"}`, text)
	require.Equal(t, object{"reference": "welcome"}, fake.asked[0].Variables)
}
