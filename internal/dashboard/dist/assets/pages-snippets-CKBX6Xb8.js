import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query Snippets($first: Int, $after: String, $last: Int, $before: String, $filter: SnippetFilter) {
  snippets(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),n=new e(`
    query Snippet($identifier: String!) {
  snippetByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    content
    revision
  }
}
    `),r=new e(`
    query SnippetUsage($identifier: String!) {
  snippetUsage(identifier: $identifier) {
    workflows {
      identifier
    }
    layouts {
      identifier
    }
    snippets {
      identifier
    }
  }
}
    `),i=new e(`
    mutation CreateSnippet($input: CreateSnippetInput!) {
  createSnippet(input: $input) {
    snippet {
      identifier
    }
  }
}
    `),a=new e(`
    mutation UpdateSnippet($input: UpdateSnippetInput!) {
  updateSnippet(input: $input) {
    snippet {
      revision
    }
  }
}
    `),o=new e(`
    mutation DeleteSnippet($id: ID!, $force: Boolean!) {
  deleteSnippet(id: $id, force: $force) {
    deletedId
  }
}
    `);export{t as a,r as i,o as n,a as o,n as r,i as t};