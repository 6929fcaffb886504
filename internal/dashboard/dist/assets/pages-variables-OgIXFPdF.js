import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query Variables($first: Int, $after: String, $last: Int, $before: String) {
  variables(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      name
      secret
      value
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
    query VariableUsages($id: ID!) {
  variableUsages(id: $id) {
    kind
    name
    path
  }
}
    `),r=new e(`
    mutation CreateVariable($input: CreateVariableInput!) {
  createVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),i=new e(`
    mutation UpdateVariable($input: UpdateVariableInput!) {
  updateVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),a=new e(`
    mutation DeleteVariable($id: ID!, $evenIfUsed: Boolean!) {
  deleteVariable(id: $id, evenIfUsed: $evenIfUsed) {
    deletedId
  }
}
    `),o=new e(`
    query Variable($id: ID!) {
  variable(id: $id) {
    value
  }
}
    `);export{n as a,o as i,a as n,t as o,i as r,r as t};