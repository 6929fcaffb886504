import{t as e}from"./trash-erETvyGD.js";import{n as t}from"./conflict-Cob9pr-n.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{d as a,m as o,s,t as c}from"./document-dlEMawag.js";import{a as l,m as u,n as d,t as f,v as p}from"./button-Dgb5THJ5.js";import{l as m}from"./form-DrW5btIS.js";import{n as h}from"./usages-w31yB1mI.js";import{a as g,c as _,d as v,l as y,r as b,v as x}from"./ui-CoQ-QTUx.js";import{t as S}from"./drop-D9IVWWHE.js";import{a as C,i as w,n as T,t as E}from"./file-CR3rUh9Y.js";import{t as D}from"./words-t-fjR7sY.js";var O=new c(`
    query ImagesUrl {
  imagesUrl
}
    `),k=new c(`
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
      usages {
        kind
        name
      }
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
}`),A=new c(`
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
}`),j=new c(`
    mutation DeleteImage($id: ID!) {
  deleteImage(id: $id) {
    deletedId
  }
}
    `),M=n(r(),1),N=i(),P=12;function F({file:e,asksAlt:t,onChoose:n,onClose:r}){let[i,a]=(0,M.useState)(``),[s,c]=(0,M.useState)(``),[u,d]=(0,M.useState)({}),f=x(u,d),{first:h,last:g}=f.variables,S=o(k,{...f.variables,first:h&&P,last:g&&P,filter:s?{nameContains:s}:void 0}),C=o(O,{}).data,w=e=>{n({address:E(e),alt:i}),r()};return(0,N.jsxs)(l,{title:D(`title`),onClose:r,children:[t&&(0,N.jsx)(m,{label:D(`alt`),hint:D(`altHint`),value:i,onChange:a}),C?.imagesUrl===null&&(0,N.jsx)(y,{tone:`wait`,children:D(`noAddress`,{origin:location.origin})}),(0,N.jsx)(p,{children:(0,N.jsx)(I,{file:e,onUploaded:w})}),(0,N.jsx)(m,{label:D(`search`),type:`search`,value:s,onChange:e=>{c(e),d({})}}),(0,N.jsx)(_,{of:S,children:({images:{nodes:e,pageInfo:t}})=>(0,N.jsxs)(N.Fragment,{children:[e.length===0&&(0,N.jsx)(b,{children:D(s?`noneFound`:`none`)}),(0,N.jsx)(`ul`,{className:`images`,"aria-label":D(`list`),children:e.map(e=>(0,N.jsx)(L,{of:e,onChoose:()=>w(e),onRemoved:S.reload},e.id))}),(0,N.jsx)(v,{label:D(`list`),pager:f,info:t})]})})]})}function I({file:e,onUploaded:n}){let r=(0,M.useRef)(null),[i,a]=(0,M.useState)(!1),[o,c]=(0,M.useState)(),l=(0,M.useRef)(!1),u=async e=>{a(!0),c(void 0);try{let{createImage:t}=await s(A,{input:await w(e)});n(t.image)}catch(e){c(e),a(!1)}};(0,M.useEffect)(()=>{e&&!l.current&&u(e),l.current=!0},[]);let{over:d,on:p}=S(u);return(0,N.jsxs)(`div`,{className:d?`image-drop over`:`image-drop`,role:`group`,"aria-label":D(`upload`),...p,children:[(0,N.jsx)(f,{icon:t,look:`primary`,disabled:i,onClick:()=>r.current?.click(),children:D(i?`uploading`:`upload`)}),(0,N.jsx)(`input`,{ref:r,type:`file`,hidden:!0,accept:T.join(),onChange:e=>{let t=e.target.files?.[0];e.target.value=``,t&&u(t)}}),(0,N.jsx)(`span`,{className:`soft small`,children:D(`drop`)}),(0,N.jsx)(g,{error:o})]})}function L({of:t,onChoose:n,onRemoved:r}){let{id:i,name:o,path:s,width:c,height:l,size:f,usages:m}=t,[_,v]=(0,M.useState)(!1),y=a(j,r);return(0,N.jsxs)(`li`,{children:[(0,N.jsxs)(`button`,{type:`button`,className:`image-choice`,onClick:n,children:[(0,N.jsx)(`img`,{src:s,alt:``,loading:`lazy`}),(0,N.jsx)(`strong`,{className:`small`,title:o,children:o}),(0,N.jsxs)(`span`,{className:`soft small`,children:[c,` × `,l,` · `,C(f)]})]}),(0,N.jsx)(z,{usages:m}),(0,N.jsx)(p,{children:(0,N.jsx)(d,{icon:e,className:`remove-image`,label:D(`remove`,{name:o}),disabled:y.busy,onClick:()=>v(!0)})}),(0,N.jsx)(g,{error:y.error}),_&&(0,N.jsx)(u,{title:D(`deleteImage`),question:m.length===0?D(`removeQuestion`,{name:o}):(0,N.jsxs)(`div`,{children:[(0,N.jsx)(`p`,{children:D(`removeUsed`,{name:o})}),(0,N.jsx)(h,{of:m.map(B),most:10})]}),yes:D(m.length===0?`deleteImage`:`deleteUsed`),onYes:()=>void y.run({id:i}),onNo:()=>v(!1)})]})}var R=100;function z({usages:e}){return e.length===0?(0,N.jsx)(`p`,{className:`soft small`,children:D(`unused`)}):(0,N.jsxs)(`details`,{className:`image-usages small`,children:[(0,N.jsx)(`summary`,{children:D(e.length<R?`used`:`usedMost`,{n:e.length})}),(0,N.jsx)(h,{of:e.map(B),most:10})]})}var B=({kind:e,name:t})=>({kind:e,name:t});export{F as default};