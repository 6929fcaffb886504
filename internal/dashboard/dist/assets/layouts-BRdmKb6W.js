import{i as e,n as t,t as n}from"./jsx-runtime-DyZJNswf.js";import{R as r,i}from"./button-Dgb5THJ5.js";import{d as a,m as o,s,t as c}from"./document-dlEMawag.js";import{t as l}from"./preview-DS8_YWOG.js";import{n as u}from"./form-DrW5btIS.js";import{n as d}from"./marks-Bs-tqbgL.js";import{t as f}from"./saved-QN7N3TE8.js";import{c as p}from"./text-Dt6ehE6o.js";import{a as m,c as h,t as g,u as _}from"./ui-CoQ-QTUx.js";import{n as v,t as y}from"./templates-DpfnDRDV.js";var b=new c(`
    query Layouts($first: Int, $after: String, $last: Int, $before: String, $filter: LayoutFilter) {
  layouts(
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
      isDefault
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
    `),x=new c(`
    query Layout($identifier: String!) {
  layoutByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    content
    revision
    isDefault
    createdAt
    updatedAt
  }
}
    `),S=new c(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    layout {
      identifier
    }
  }
}
    `),C=new c(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    layout {
      revision
    }
  }
}
    `),w=new c(`
    mutation DeleteLayout($id: ID!) {
  deleteLayout(id: $id) {
    deletedId
  }
}
    `),T=e(t(),1),E=n(),D=`<!doctype html>
<html>
  <body style="font-family: sans-serif; max-width: 40rem; margin: 0 auto">
    {{ content }}
  </body>
</html>
`;function O(){return(0,E.jsx)(v,{of:{title:p(`nav.layouts`),newOne:p(`layouts.new`),address:`/layouts`,empty:p(`layouts.none`),list:b,page:e=>e.layouts,badge:e=>e.isDefault&&(0,E.jsx)(g,{children:p(`common.default`)}),create:S,created:e=>e.createLayout.layout,content:D,identifierHint:p(`layouts.identifierHint`)}})}function k({identifier:e}){let t=o(x,{identifier:e});return(0,E.jsx)(h,{of:t,title:e,children:({layoutByIdentifier:e})=>(0,E.jsx)(N,{of:e,reload:t.reload},e.id)})}var A={template:{place:`layout`}},j=()=>({type:`EMAIL`,stepId:`mail`,email:{subject:p(`layouts.sampleSubject`),preheader:p(`layouts.samplePreview`),html:`<h1>${p(`layouts.sampleTitle`)}</h1><p>${p(`layouts.sampleText`)}</p>`}}),M=({name:e,content:t,isDefault:n})=>({name:e,content:t,isDefault:n});function N({of:e,reload:t}){let[n,o]=(0,T.useState)(()=>M(e)),[c,h]=(0,T.useState)({payload:`{}`,subscriberId:``}),[,g]=r(),v=f(n,e.revision,async(t,n)=>(await s(C,{input:{id:e.id,...t,revision:n}})).updateLayout.layout.revision,t),b=async()=>{let n=(await s(x,{identifier:e.identifier})).layoutByIdentifier;o(M(n)),v.rebase(M(n),n.revision),t()},S=a(w,()=>{d(),g(`/layouts`)});return(0,E.jsxs)(_,{title:e.name,actions:(0,E.jsx)(i,{label:p(`common.delete`),question:p(`layouts.deleteTheLayoutNameE`,{name:e.name}),busy:S.busy,onConfirm:()=>S.run({id:e.id})}),children:[(0,E.jsx)(m,{error:S.error}),(0,E.jsxs)(`div`,{className:`cols`,children:[(0,E.jsx)(y,{title:p(`common.layout`),identifier:e.identifier,value:n,onChange:o,hint:p(`layouts.hint`,{content:`{{ content }}`,subject:`{{ subject }}`,preheader:`{{ preheader }}`}),knows:A,required:!0,saving:v,onTheirs:b,children:(0,E.jsx)(u,{at:`isDefault`,label:p(`layouts.defaultLayout`),value:n.isDefault,onChange:e=>o({...n,isDefault:e})})}),(0,E.jsx)(l,{step:j(),layout:n.content,example:c,onExample:h})]})]})}export{k as LayoutPage,O as Layouts};