// The API key goes into the header editor, which the browser keeps for this address only.
const query = `# Put your API key into the Headers tab below:
#   { "Authorization": "ApiKey crl_..." }
# and reload the page to get completion and the documentation.
{
  currentEnvironment {
    name
    type
  }
  topics(first: 5) {
    nodes {
      key
      name
    }
  }
}
`;

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: location.pathname }),
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: true,
    defaultEditorToolsVisibility: "headers",
    defaultHeaders: '{\n  "Authorization": "ApiKey "\n}',
    defaultQuery: query,
  }),
);
