import{t as e}from"./pause-C6HPidcX.js";import{t}from"./play-Cip50p4V.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{r as a}from"./address-AAVe8LmF.js";import{f as o,t as s,u as c}from"./document-DOpnm8OA.js";import{f as l,i as u,t as d,y as f}from"./button-DrZok8y8.js";import{i as p,o as m}from"./form-LUm_ZQFx.js";import{a as h,d as g,t as _}from"./repair-B30A5enx.js";import{c as v,o as y}from"./text-AeBTDtkA.js";import{a as b,c as x,d as S,g as C,m as w,n as T,t as E,u as D}from"./ui-Bua6Uujo.js";import{t as O}from"./words-BFceARnm.js";var k=new s(`
    query Broadcasts($first: Int, $after: String, $last: Int, $before: String) {
  underWay: events(first: 20, filter: {kindIn: [TRIGGER], statusIn: [ACCEPTED]}) {
    nodes {
      ...BroadcastParts
    }
  }
  events(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {kindIn: [BROADCAST]}
  ) {
    nodes {
      ...BroadcastParts
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}`),A=new s(`
    mutation PaceBroadcast($input: PaceBroadcastInput!) {
  paceBroadcast(input: $input) {
    event {
      id
    }
  }
}
    `),j=new s(`
    mutation CancelBroadcast($transactionId: String!) {
  cancelTransaction(transactionId: $transactionId) {
    result {
      eventsStopped
      stoppedCount
    }
  }
}
    `),M=new s(`
    query BroadcastEvent($id: ID!) {
  event(id: $id) {
    ...BroadcastParts
  }
}
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}`),N=n(r(),1),P=i(),F=2e3;function I(e,t){(0,N.useEffect)(()=>{if(!e)return;let n=setInterval(t,F);return()=>clearInterval(n)},[e,t])}function L({id:e}){let t=o(M,{id:e});return I(t.data?.event.status===`ACCEPTED`,t.reload),(0,P.jsx)(x,{of:t,children:({event:e})=>(0,P.jsx)(z,{of:[e],done:t.reload})})}function R(){let e=a(),t=o(k,e.variables),{reload:n}=t,r=(e=[])=>e.some(e=>e.progress&&e.status===`ACCEPTED`);return I(r(t.data?.events.nodes)||r(t.data?.underWay.nodes),n),(0,P.jsx)(D,{title:v(`nav.broadcasts`),children:(0,P.jsx)(T,{children:(0,P.jsx)(x,{of:t,children:({events:t,underWay:r})=>(0,P.jsxs)(P.Fragment,{children:[(0,P.jsx)(z,{of:[...r.nodes.filter(e=>e.progress),...t.nodes],done:n}),(0,P.jsx)(S,{label:v(`nav.broadcasts`),pager:e,info:t.pageInfo})]})})})})}function z({of:e,done:t}){let n=c(j,t);return(0,P.jsxs)(P.Fragment,{children:[(0,P.jsx)(b,{error:n.error}),(0,P.jsx)(w,{label:v(`nav.broadcasts`),rows:e,id:e=>e.id,empty:v(`broadcast.none`),columns:[{name:v(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:v(`common.since`),cell:e=>(0,P.jsx)(C,{at:e.createdAt})},{name:v(`common.state`),cell:e=>(0,P.jsx)(B,{of:e})},{name:v(`broadcast.progress`),cell:e=>(0,P.jsx)(V,{of:e})},{name:v(`word.SENT`),cell:e=>e.progress&&y(e.progress.sent)},{name:v(`word.FAILED`),cell:e=>e.progress&&y(e.progress.failed)},{name:v(`broadcast.skipped`),cell:e=>e.progress&&y(e.progress.skipped)},{name:v(`repair.perSecond`),cell:e=>(0,P.jsx)(U,{of:e,done:t})},{name:``,cell:e=>(0,P.jsxs)(`div`,{className:`row`,children:[(0,P.jsx)(H,{of:e,done:t}),e.status===`ACCEPTED`&&(0,P.jsx)(u,{label:v(`common.cancel`),question:v(`broadcast.cancelQuestion`),busy:n.busy,onConfirm:()=>n.run({transactionId:e.transactionId})})]})}]})]})}function B({of:{status:e,progress:t}}){return t?.pause?(0,P.jsx)(E,{tone:`wait`,children:v(`broadcast.paused`)}):(0,P.jsx)(E,{tone:e===`FANNED_OUT`?`good`:e===`PARKED`?`bad`:``,children:O(e)})}function V({of:{status:e,progress:t}}){if(!t)return`–`;let n=`${y(t.planned)}${t.plannedCapped?`+`:``}`;return(0,P.jsxs)(`div`,{className:`stack`,children:[(0,P.jsx)(`span`,{children:v(`broadcast.of`,{notified:t.notified,planned:n})}),e===`ACCEPTED`&&!t.plannedCapped&&(0,P.jsx)(`progress`,{"aria-label":v(`broadcast.progress`),value:Math.min(t.examined,t.planned),max:Math.max(t.planned,1)})]})}function H({of:{internalId:n,status:r,progress:i},done:a}){return i?.pause?(0,P.jsx)(_,{label:v(`repair.resume`),icon:t,needs:`ADMIN`,document:g,input:{id:i.pause.internalId},says:({resumeDelivery:e})=>v(`repair.resumes`,{n:e.held}),done:a}):r!==`ACCEPTED`&&r!==`FANNED_OUT`?null:(0,P.jsx)(_,{label:v(`repair.pause`),icon:e,needs:`ADMIN`,document:h,input:{kind:`BROADCAST`,target:n},says:({pauseDelivery:e})=>v(`repair.pauses`,{events:e.events,notifications:e.notifications,messages:e.messages}),done:a})}function U({of:{internalId:e,status:t,progress:n},done:r}){let[i,a]=(0,N.useState)(n?.perSecond),o=f(`EDITOR`),s=c(A,r),u=n?.perSecond==null?v(`broadcast.unpaced`):y(n.perSecond);return t!==`ACCEPTED`||!o?u:(0,P.jsx)(l,{trigger:(0,P.jsx)(d,{look:`quiet`,children:u}),label:v(`repair.perSecond`),children:(0,P.jsx)(p,{submit:v(`broadcast.pace`),action:s,onSubmit:()=>s.run({input:{event:e,perSecond:i}}),children:(0,P.jsx)(m,{label:v(`repair.perSecond`),hint:v(`broadcast.paceHint`),at:`perSecond`,value:i,onChange:a})})})}export{z as n,R as r,L as t};