import{t as e}from"./refresh-cw-GPeuQIX_.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{R as i,i as a,t as o}from"./button-DrZok8y8.js";import{r as s,t as c}from"./address-AAVe8LmF.js";import{f as l,t as u,u as d}from"./document-DOpnm8OA.js";import{l as f,s as p}from"./form-LUm_ZQFx.js";import{t as m}from"./shown-mail-BM-rIaJk.js";import{c as h}from"./text-AeBTDtkA.js";import{a as g,c as _,d as v,g as y,i as b,m as x,n as S,s as C,u as w}from"./ui-Bua6Uujo.js";import{t as T}from"./words-BFceARnm.js";var E=new u(`
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
    `),D=new u(`
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
    `),O=new u(`
    mutation ClearCaught {
  clearCaughtMessages {
    deletedCount
  }
}
    `),k=t(n(),1),A=r();function j(){let{get:t,set:n}=c(),r=t(`channel`),u={channelIn:r?[r]:void 0,recipient:t(`recipient`)||void 0},m=s(),b=l(E,{...m.variables,filter:u}),[,C]=i(),D=t(`message`),k=e=>C(t=>(t.set(`message`,e),t)),j=d(O,()=>{C({}),b.reload()});return(0,A.jsxs)(w,{title:h(`nav.catcher`),actions:(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(o,{icon:e,onClick:b.reload,children:h(`common.refresh`)}),(0,A.jsx)(a,{label:h(`catcher.clear`),question:h(`catcher.deleteAllCaughtMessages`),busy:j.busy,onConfirm:()=>j.run({})})]}),children:[(0,A.jsx)(g,{error:j.error}),(0,A.jsx)(S,{children:(0,A.jsxs)(`div`,{className:`filters`,children:[(0,A.jsx)(p,{label:h(`common.channel`),value:r,onChange:n(`channel`),options:[{value:``,label:h(`common.any`)},`EMAIL`,`SMS`,`CHAT`,`PUSH`]}),(0,A.jsx)(f,{label:h(`catcher.recipient`),value:t(`recipient`),onChange:n(`recipient`)})]})}),(0,A.jsxs)(`div`,{className:`cols`,children:[(0,A.jsx)(S,{children:(0,A.jsx)(_,{of:b,children:({caughtMessages:e})=>(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(x,{filtered:!!(r||t(`recipient`)),label:h(`catcher.caughtMessages`),rows:e.nodes,id:e=>e.id,empty:h(`catcher.noCaughtMessagesMessagesOf`),columns:[{name:h(`common.when`),cell:e=>(0,A.jsx)(y,{at:e.createdAt})},{name:h(`common.channel`),cell:e=>T(e.channel)},{name:h(`common.to`),cell:e=>e.recipient},{name:h(`catcher.message`),cell:e=>(0,A.jsx)(o,{look:`plain`,"aria-pressed":D===e.id,onClick:()=>k(e.id),children:e.subject||e.body.slice(0,60)||`open`})}]}),(0,A.jsx)(v,{label:h(`catcher.caughtMessages`),pager:m,info:e.pageInfo})]})})}),D&&(0,A.jsx)(M,{id:D})]})]})}function M({id:e}){let t=l(D,{id:e});return(0,A.jsx)(_,{of:t,children:({caughtMessage:e})=>(0,A.jsx)(N,{of:e})})}function N({of:e}){let t=(0,k.useRef)(null);return(0,k.useEffect)(()=>t.current?.focus(),[e.id]),(0,A.jsx)(`div`,{ref:t,tabIndex:-1,children:(0,A.jsxs)(S,{title:e.subject||T(e.channel),children:[(0,A.jsx)(b,{of:{[h(`common.to`)]:e.recipient,[h(`common.provider`)]:e.providerId,[h(`common.when`)]:(0,A.jsx)(y,{at:e.createdAt})}}),e.html?(0,A.jsx)(m,{html:e.html,text:e.body,title:h(`catcher.caughtMail`)}):(0,A.jsx)(`pre`,{tabIndex:0,children:e.body}),e.details!=null&&(0,A.jsx)(C,{label:h(`common.details`),value:e.details})]})})}export{j as Catcher};