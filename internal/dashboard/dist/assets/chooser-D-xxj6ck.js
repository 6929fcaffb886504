import{t as e}from"./trash-C6i2MkMz.js";import{V as t,_ as n,a as r,n as i,p as a,t as o}from"./button-BEpBPOcF.js";import{f as s,t as c,u as l}from"./jsx-runtime-Bxvuqi2r.js";import{Kr as u,Yr as d,Zr as f,dr as p}from"./gql-CvlibiG0.js";import{l as m}from"./form-C_aqfOR-.js";import{n as h}from"./usages-BHlB_ZVN.js";import{a as g,c as _,f as v,r as y,u as b,y as x}from"./ui-DTju6UYS.js";import{t as S}from"./drop-B4HGPo9l.js";import{a as C,i as w,n as T,t as E}from"./file-BZyh3R3X.js";import{t as D}from"./words-BIkA-aQj.js";var O={name:`upload`,size:24,node:[[`path`,{d:`M12 3v12`,key:`1x0j5s`}],[`path`,{d:`m17 8-5-5-5 5`,key:`7q97r8`}],[`path`,{d:`M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4`,key:`ih7n3h`}]]};O.node;var k=t(O),A=s(l(),1);new p(`
    fragment ImageParts on Image {
  id
  name
  url
  path
  width
  height
  size
}
    `,{fragmentName:`ImageParts`});var j=new p(`
    query ImagesUrl {
  imagesUrl
}
    `),M=new p(`
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
}`),N=new p(`
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
}`),P=new p(`
    mutation DeleteImage($id: ID!) {
  deleteImage(id: $id) {
    deletedId
  }
}
    `),F=c(),I=12;function L({file:e,asksAlt:t,onChoose:i,onClose:a}){let[o,s]=(0,A.useState)(``),[c,l]=(0,A.useState)(``),[u,d]=(0,A.useState)({}),p=x(u,d),{first:h,last:g}=p.variables,S=f(M,{...p.variables,first:h&&I,last:g&&I,filter:c?{nameContains:c}:void 0}),C=f(j,{}).data,w=e=>{i({address:E(e),alt:o}),a()};return(0,F.jsxs)(r,{title:D(`title`),onClose:a,children:[t&&(0,F.jsx)(m,{label:D(`alt`),hint:D(`altHint`),value:o,onChange:s}),C?.imagesUrl===null&&(0,F.jsx)(b,{tone:`wait`,children:D(`noAddress`,{origin:location.origin})}),(0,F.jsx)(n,{children:(0,F.jsx)(R,{file:e,onUploaded:w})}),(0,F.jsx)(m,{label:D(`search`),type:`search`,value:c,onChange:e=>{l(e),d({})}}),(0,F.jsx)(_,{of:S,children:({images:{nodes:e,pageInfo:t}})=>(0,F.jsxs)(F.Fragment,{children:[e.length===0&&(0,F.jsx)(y,{children:D(c?`noneFound`:`none`)}),(0,F.jsx)(`ul`,{className:`images`,"aria-label":D(`list`),children:e.map(e=>(0,F.jsx)(z,{of:e,onChoose:()=>w(e),onRemoved:S.reload},e.id))}),(0,F.jsx)(v,{label:D(`list`),pager:p,info:t})]})})]})}function R({file:e,onUploaded:t}){let n=(0,A.useRef)(null),[r,i]=(0,A.useState)(!1),[a,s]=(0,A.useState)(),c=(0,A.useRef)(!1),l=async e=>{i(!0),s(void 0);try{let{createImage:n}=await u(N,{input:await w(e)});t(n.image)}catch(e){s(e),i(!1)}};(0,A.useEffect)(()=>{e&&!c.current&&l(e),c.current=!0},[]);let{over:d,on:f}=S(l);return(0,F.jsxs)(`div`,{className:d?`image-drop over`:`image-drop`,role:`group`,"aria-label":D(`upload`),...f,children:[(0,F.jsx)(o,{icon:k,look:`primary`,disabled:r,onClick:()=>n.current?.click(),children:D(r?`uploading`:`upload`)}),(0,F.jsx)(`input`,{ref:n,type:`file`,hidden:!0,accept:T.join(),onChange:e=>{let t=e.target.files?.[0];e.target.value=``,t&&l(t)}}),(0,F.jsx)(`span`,{className:`soft small`,children:D(`drop`)}),(0,F.jsx)(g,{error:a})]})}function z({of:t,onChoose:r,onRemoved:o}){let{id:s,name:c,path:l,width:u,height:f,size:p,usages:m}=t,[_,v]=(0,A.useState)(!1),y=d(P,o);return(0,F.jsxs)(`li`,{children:[(0,F.jsxs)(`button`,{type:`button`,className:`image-choice`,onClick:r,children:[(0,F.jsx)(`img`,{src:l,alt:``,loading:`lazy`}),(0,F.jsx)(`strong`,{className:`small`,title:c,children:c}),(0,F.jsxs)(`span`,{className:`soft small`,children:[u,` × `,f,` · `,C(p)]})]}),(0,F.jsx)(V,{usages:m}),(0,F.jsx)(n,{children:(0,F.jsx)(i,{icon:e,className:`remove-image`,label:D(`remove`,{name:c}),disabled:y.busy,onClick:()=>v(!0)})}),(0,F.jsx)(g,{error:y.error}),_&&(0,F.jsx)(a,{title:D(`deleteImage`),question:m.length===0?D(`removeQuestion`,{name:c}):(0,F.jsxs)(`div`,{children:[(0,F.jsx)(`p`,{children:D(`removeUsed`,{name:c})}),(0,F.jsx)(h,{of:m.map(H),most:10})]}),yes:D(m.length===0?`deleteImage`:`deleteUsed`),onYes:()=>void y.run({id:s}),onNo:()=>v(!1)})]})}var B=100;function V({usages:e}){return e.length===0?(0,F.jsx)(`p`,{className:`soft small`,children:D(`unused`)}):(0,F.jsxs)(`details`,{className:`image-usages small`,children:[(0,F.jsx)(`summary`,{children:D(e.length<B?`used`:`usedMost`,{n:e.length})}),(0,F.jsx)(h,{of:e.map(H),most:10})]})}var H=({kind:e,name:t})=>({kind:e,name:t});export{L as default};