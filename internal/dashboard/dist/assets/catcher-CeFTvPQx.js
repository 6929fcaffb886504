import{t as e}from"./refresh-cw-CFOpgsE1.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{S as i,V as a,i as o,t as s}from"./button-Dgb5THJ5.js";import{r as c,t as l}from"./address-NG03ewlH.js";import{d as u,m as d,t as f}from"./document-dlEMawag.js";import{l as p,s as m}from"./form-DrW5btIS.js";import{t as h}from"./shown-mail-CM4YdanL.js";import{c as g}from"./text-Dt6ehE6o.js";import{a as _,c as v,d as y,g as b,i as x,m as S,n as C,s as w,u as T}from"./ui-CoQ-QTUx.js";var E=new f(`
    query CaughtMessages($first: Int, $after: String, $last: Int, $before: String, $filter: CaughtMessageFilter) {
  caughtMessages(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      channel
      recipient
      subject
      body
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),D=new f(`
    query CaughtMessage($id: ID!) {
  caughtMessage(id: $id) {
    id
    channel
    providerId
    recipient
    subject
    body
    html
    details
    createdAt
  }
}
    `),O=new f(`
    mutation ClearCaught {
  clearCaughtMessages {
    deletedCount
  }
}
    `),k=t(n(),1),A=r();function j(){let{get:t,set:n}=l(),r=t(`channel`),f={channelIn:r?[r]:void 0,recipient:t(`recipient`)||void 0},h=c(),x=d(E,{...h.variables,filter:f}),[,w]=a(),D=t(`message`),k=e=>w(t=>(t.set(`message`,e),t)),j=u(O,()=>{w({}),x.reload()});return(0,A.jsxs)(T,{title:g(`nav.catcher`),actions:(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(s,{icon:e,onClick:x.reload,children:g(`common.refresh`)}),(0,A.jsx)(o,{label:g(`catcher.clear`),question:g(`catcher.deleteAllCaughtMessages`),busy:j.busy,onConfirm:()=>j.run({})})]}),children:[(0,A.jsx)(_,{error:j.error}),(0,A.jsx)(C,{children:(0,A.jsxs)(`div`,{className:`filters`,children:[(0,A.jsx)(m,{label:g(`common.channel`),value:r,onChange:n(`channel`),options:[{value:``,label:g(`common.any`)},`EMAIL`,`SMS`,`CHAT`,`PUSH`]}),(0,A.jsx)(p,{label:g(`catcher.recipient`),value:t(`recipient`),onChange:n(`recipient`)})]})}),(0,A.jsxs)(`div`,{className:`cols`,children:[(0,A.jsx)(C,{children:(0,A.jsx)(v,{of:x,children:({caughtMessages:e})=>(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(S,{filtered:!!(r||t(`recipient`)),label:g(`catcher.caughtMessages`),rows:e.nodes,id:e=>e.id,empty:g(`catcher.noCaughtMessagesMessagesOf`),columns:[{name:g(`common.when`),cell:e=>(0,A.jsx)(b,{at:e.createdAt})},{name:g(`common.channel`),cell:e=>i(e.channel)},{name:g(`common.to`),cell:e=>e.recipient},{name:g(`catcher.message`),cell:e=>(0,A.jsx)(s,{look:`plain`,"aria-pressed":D===e.id,onClick:()=>k(e.id),children:e.subject||e.body.slice(0,60)||`open`})}]}),(0,A.jsx)(y,{label:g(`catcher.caughtMessages`),pager:h,info:e.pageInfo})]})})}),D&&(0,A.jsx)(M,{id:D})]})]})}function M({id:e}){let t=d(D,{id:e});return(0,A.jsx)(v,{of:t,children:({caughtMessage:e})=>(0,A.jsx)(N,{of:e})})}function N({of:e}){let t=(0,k.useRef)(null);return(0,k.useEffect)(()=>t.current?.focus(),[e.id]),(0,A.jsx)(`div`,{ref:t,tabIndex:-1,children:(0,A.jsxs)(C,{title:e.subject||i(e.channel),children:[(0,A.jsx)(x,{of:{[g(`common.to`)]:e.recipient,[g(`common.provider`)]:e.providerId,[g(`common.when`)]:(0,A.jsx)(b,{at:e.createdAt})}}),e.html?(0,A.jsx)(h,{html:e.html,text:e.body,title:g(`catcher.caughtMail`)}):(0,A.jsx)(`pre`,{tabIndex:0,children:e.body}),e.details!=null&&(0,A.jsx)(w,{label:g(`common.details`),value:e.details})]})})}export{j as Catcher};