import{t as e}from"./document-dlEMawag.js";var t=new e(`
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