import{i as e,n as t,t as n}from"./jsx-runtime-DyZJNswf.js";import{F as r,i}from"./button-DrZok8y8.js";import{f as a,o,t as s,u as c}from"./document-DOpnm8OA.js";import{t as l}from"./preview-DZaizb_w.js";import{n as u}from"./form-LUm_ZQFx.js";import{t as d}from"./saved-D9U1IcJw.js";import{c as f}from"./text-AeBTDtkA.js";import{a as p,c as m,t as h,u as g}from"./ui-Bua6Uujo.js";import{r as _}from"./unsaved-CFuxLlyc.js";import{n as v,t as y}from"./templates-BFxHGtr5.js";var b=new s(`
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
    `),x=new s(`
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
    `),S=new s(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    layout {
      identifier
    }
  }
}
    `),C=new s(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    layout {
      revision
    }
  }
}
    `),w=new s(`
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
`;function O(){return(0,E.jsx)(v,{of:{title:f(`nav.layouts`),newOne:f(`layouts.new`),address:`/layouts`,empty:f(`layouts.none`),list:b,page:e=>e.layouts,badge:e=>e.isDefault&&(0,E.jsx)(h,{children:f(`common.default`)}),create:S,created:e=>e.createLayout.layout,content:D,identifierHint:f(`layouts.identifierHint`)}})}function k({identifier:e}){let t=a(x,{identifier:e});return(0,E.jsx)(m,{of:t,title:e,children:({layoutByIdentifier:e})=>(0,E.jsx)(N,{of:e,reload:t.reload},e.id)})}var A={template:{place:`layout`}},j=()=>({type:`EMAIL`,stepId:`mail`,email:{subject:f(`layouts.sampleSubject`),preheader:f(`layouts.samplePreview`),html:`<h1>${f(`layouts.sampleTitle`)}</h1><p>${f(`layouts.sampleText`)}</p>`}}),M=({name:e,content:t,isDefault:n})=>({name:e,content:t,isDefault:n});function N({of:e,reload:t}){let[n,a]=(0,T.useState)(()=>M(e)),[s,m]=(0,T.useState)({payload:`{}`,subscriberId:``}),[,h]=r(),v=d(n,e.revision,async(t,n)=>(await o(C,{input:{id:e.id,...t,revision:n}})).updateLayout.layout.revision,t),b=async()=>{let n=(await o(x,{identifier:e.identifier})).layoutByIdentifier;a(M(n)),v.rebase(M(n),n.revision),t()},S=c(w,()=>{_(),h(`/layouts`)});return(0,E.jsxs)(g,{title:e.name,actions:(0,E.jsx)(i,{label:f(`common.delete`),question:f(`layouts.deleteTheLayoutNameE`,{name:e.name}),busy:S.busy,onConfirm:()=>S.run({id:e.id})}),children:[(0,E.jsx)(p,{error:S.error}),(0,E.jsxs)(`div`,{className:`cols`,children:[(0,E.jsx)(y,{title:f(`common.layout`),identifier:e.identifier,value:n,onChange:a,hint:f(`layouts.hint`,{content:`{{ content }}`,subject:`{{ subject }}`,preheader:`{{ preheader }}`}),knows:A,required:!0,saving:v,onTheirs:b,children:(0,E.jsx)(u,{at:`isDefault`,label:f(`layouts.defaultLayout`),value:n.isDefault,onChange:e=>a({...n,isDefault:e})})}),(0,E.jsx)(l,{step:j(),layout:n.content,example:s,onExample:m})]})]})}export{k as LayoutPage,O as Layouts};