import{t as e}from"./document-DOpnm8OA.js";var t=new e(`
    query PayloadSchema($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      definition {
        payloadSchema
      }
    }
  }
}
    `);export{t};