import{t as e}from"./document-DB1uREhl.js";var t=new e(`
    query PayloadSchema($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      definition {
        payloadSchema
      }
    }
  }
}
    `),n=new e(`
    query WorkflowChoices {
  workflows(first: 100) {
    nodes {
      identifier
    }
  }
}
    `);export{n,t};