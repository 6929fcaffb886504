import{t as e}from"./trash-w1iklRp8.js";import{V as t,_ as n,a as r,n as i,p as a,t as o}from"./button-CZ1W6u1C.js";import{f as s,t as c,u as l}from"./jsx-runtime-Beq7VIDT.js";import{Kr as u,Yr as d,Zr as f,dr as p}from"./gql-BCNyCzwW.js";import{l as m}from"./form-DdcsJ4L0.js";import{a as h,c as g,f as _,r as v,u as y,y as b}from"./ui-MovQzIoh.js";import{t as x}from"./drop-hFXLt_Jc.js";import{a as S,i as C,n as w,t as T}from"./file-BwkMLGx9.js";import{t as E}from"./words-DCul2yQ5.js";var D={name:`upload`,size:24,node:[[`path`,{d:`M12 3v12`,key:`1x0j5s`}],[`path`,{d:`m17 8-5-5-5 5`,key:`7q97r8`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}]]};D.node;var O=t(D),k=s(l(),1);new p(`
    fragment ImageParts on Image {
  id
  name
  url
  path
  width
  height
  size
}
    `,{fragmentName:`ImageParts`});var A=new p(`
    query Images($first: Int, $after: String, $last: Int, $before: String, $filter: ImageFilter) {
  images(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      ...ImageParts
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    fragment ImageParts on Image {
  id
  name
  url
  path
  width
  height
  size
}`),j=new p(`
    mutation CreateImage($input: CreateImageInput!) {
  createImage(input: $input) {
    image {
      ...ImageParts
    }
  }
}
    fragment ImageParts on Image {
  id
  name
  url
  path
  width
  height
  size
}`),M=new p(`
    mutation DeleteImage($id: ID!) {
  deleteImage(id: $id) {
    deletedId
  }
}
    `),N=c(),P=12;function F({file:e,asksAlt:t,onChoose:i,onClose:a}){let[o,s]=(0,k.useState)(``),[c,l]=(0,k.useState)(``),[u,d]=(0,k.useState)({}),p=b(u,d),{first:h,last:x}=p.variables,S=f(A,{...p.variables,first:h&&P,last:x&&P,filter:c?{nameContains:c}:void 0}),C=e=>{i({address:T(e),alt:o}),a()};return(0,N.jsxs)(r,{title:E(`title`),onClose:a,children:[t&&(0,N.jsx)(m,{label:E(`alt`),hint:E(`altHint`),value:o,onChange:s}),(0,N.jsx)(n,{children:(0,N.jsx)(I,{file:e,onUploaded:C})}),(0,N.jsx)(m,{label:E(`search`),type:`search`,value:c,onChange:e=>{l(e),d({})}}),(0,N.jsx)(g,{of:S,children:({images:{nodes:e,pageInfo:t}})=>(0,N.jsxs)(N.Fragment,{children:[e.some(e=>e.url===null)&&(0,N.jsx)(y,{tone:`wait`,children:E(`noAddress`,{origin:location.origin})}),e.length===0&&(0,N.jsx)(v,{children:E(c?`noneFound`:`none`)}),(0,N.jsx)(`ul`,{className:`images`,"aria-label":E(`list`),children:e.map(e=>(0,N.jsx)(L,{of:e,onChoose:()=>C(e),onRemoved:S.reload},e.id))}),(0,N.jsx)(_,{pager:p,info:t})]})})]})}function I({file:e,onUploaded:t}){let n=(0,k.useRef)(null),[r,i]=(0,k.useState)(!1),[a,s]=(0,k.useState)(),c=(0,k.useRef)(!1),l=async e=>{i(!0),s(void 0);try{let{createImage:n}=await u(j,{input:await C(e)});t(n.image)}catch(e){s(e),i(!1)}};(0,k.useEffect)(()=>{e&&!c.current&&l(e),c.current=!0},[]);let{over:d,on:f}=x(l);return(0,N.jsxs)(`div`,{className:d?`image-drop over`:`image-drop`,role:`group`,"aria-label":E(`upload`),...f,children:[(0,N.jsx)(o,{icon:O,look:`primary`,disabled:r,onClick:()=>n.current?.click(),children:E(r?`uploading`:`upload`)}),(0,N.jsx)(`input`,{ref:n,type:`file`,hidden:!0,accept:w.join(),onChange:e=>{let t=e.target.files?.[0];e.target.value=``,t&&l(t)}}),(0,N.jsx)(`span`,{className:`soft small`,children:E(`drop`)}),(0,N.jsx)(h,{error:a})]})}function L({of:t,onChoose:r,onRemoved:o}){let{id:s,name:c,path:l,width:u,height:f,size:p}=t,[m,g]=(0,k.useState)(!1),_=d(M,o);return(0,N.jsxs)(`li`,{children:[(0,N.jsxs)(`button`,{type:`button`,className:`image-choice`,onClick:r,children:[(0,N.jsx)(`img`,{src:l,alt:``,loading:`lazy`}),(0,N.jsx)(`strong`,{className:`small`,title:c,children:c}),(0,N.jsxs)(`span`,{className:`soft small`,children:[u,` × `,f,` · `,S(p)]})]}),(0,N.jsx)(n,{children:(0,N.jsx)(i,{icon:e,className:`remove-image`,label:E(`remove`,{name:c}),disabled:_.busy,onClick:()=>g(!0)})}),(0,N.jsx)(h,{error:_.error}),m&&(0,N.jsx)(a,{title:E(`deleteImage`),question:E(`removeQuestion`,{name:c}),yes:E(`deleteImage`),onYes:()=>void _.run({id:s}),onNo:()=>g(!1)})]})}export{F as default};