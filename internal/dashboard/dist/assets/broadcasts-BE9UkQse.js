import{t as e}from"./pause-PHdU-0vx.js";import{t}from"./play-1unqpbYm.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{r as a}from"./address-NG03ewlH.js";import{d as o,m as s,t as c}from"./document-dlEMawag.js";import{S as l,i as u,p as d,t as f,x as p}from"./button-Dgb5THJ5.js";import{i as m,o as h}from"./form-DrW5btIS.js";import{a as g,d as _,t as v}from"./repair-CwwhbAS-.js";import{c as y,o as b}from"./text-Dt6ehE6o.js";import{a as x,c as S,d as C,g as w,m as T,n as E,t as D,u as O}from"./ui-CoQ-QTUx.js";import{t as k}from"./refresh-CLL9JwGS.js";var A=new c(`
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
}`),j=new c(`
    mutation PaceBroadcast($input: PaceBroadcastInput!) {
  paceBroadcast(input: $input) {
    event {
      id
    }
  }
}
    `),M=new c(`
    mutation CancelBroadcast($transactionId: String!) {
  cancelTransaction(transactionId: $transactionId) {
    result {
      eventsStopped
      stoppedCount
    }
  }
}
    `),N=new c(`
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
}`),P=n(r(),1),F=i();function I({id:e}){let t=s(N,{id:e});return k(t.data?.event.status===`ACCEPTED`,t.reload),(0,F.jsx)(S,{of:t,children:({event:e})=>(0,F.jsx)(R,{of:[e],done:t.reload})})}function L(){let e=a(),t=s(A,e.variables),{reload:n}=t,r=(e=[])=>e.some(e=>e.progress&&e.status===`ACCEPTED`);return k(r(t.data?.events.nodes)||r(t.data?.underWay.nodes),n),(0,F.jsx)(O,{title:y(`nav.broadcasts`),children:(0,F.jsx)(E,{children:(0,F.jsx)(S,{of:t,children:({events:t,underWay:r})=>(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(R,{of:[...r.nodes.filter(e=>e.progress),...t.nodes],done:n}),(0,F.jsx)(C,{label:y(`nav.broadcasts`),pager:e,info:t.pageInfo})]})})})})}function R({of:e,done:t}){let n=o(M,t);return(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(x,{error:n.error}),(0,F.jsx)(T,{label:y(`nav.broadcasts`),rows:e,id:e=>e.id,empty:y(`broadcast.none`),columns:[{name:y(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:y(`common.since`),cell:e=>(0,F.jsx)(w,{at:e.createdAt})},{name:y(`common.state`),cell:e=>(0,F.jsx)(z,{of:e})},{name:y(`broadcast.progress`),cell:e=>(0,F.jsx)(B,{of:e})},{name:y(`word.SENT`),cell:e=>e.progress&&b(e.progress.sent)},{name:y(`word.FAILED`),cell:e=>e.progress&&b(e.progress.failed)},{name:y(`broadcast.skipped`),cell:e=>e.progress&&b(e.progress.skipped)},{name:y(`repair.perSecond`),cell:e=>(0,F.jsx)(H,{of:e,done:t})},{name:``,cell:e=>(0,F.jsxs)(`div`,{className:`row`,children:[(0,F.jsx)(V,{of:e,done:t}),e.status===`ACCEPTED`&&(0,F.jsx)(u,{label:y(`broadcast.cancel`),question:y(`broadcast.cancelQuestion`),no:y(`run.keep`),busy:n.busy,onConfirm:()=>n.run({transactionId:e.transactionId})})]})}]})]})}function z({of:{status:e,progress:t}}){return t?.pause?(0,F.jsx)(D,{tone:`wait`,children:y(`broadcast.paused`)}):(0,F.jsx)(D,{tone:e===`FANNED_OUT`?`good`:e===`PARKED`?`bad`:``,children:l(e)})}function B({of:{status:e,progress:t}}){if(!t)return`–`;let n=`${b(t.planned)}${t.plannedCapped?`+`:``}`,r=t.plannedCapped?t.examined:Math.min(t.examined,t.planned);return(0,F.jsxs)(`div`,{className:`stack`,children:[(0,F.jsx)(`span`,{children:b(t.notified)}),(0,F.jsx)(`small`,{className:`soft`,children:y(`broadcast.of`,{examined:r,planned:n})}),e===`ACCEPTED`&&!t.plannedCapped&&(0,F.jsx)(`progress`,{"aria-label":y(`broadcast.progress`),value:r,max:Math.max(t.planned,1)})]})}function V({of:{internalId:n,status:r,progress:i},done:a}){return i?.pause?(0,F.jsx)(v,{label:y(`repair.resume`),icon:t,needs:`ADMIN`,document:_,input:{id:i.pause.internalId},says:({resumeDelivery:e})=>y(`repair.resumes`,{n:e.held}),done:a}):r!==`ACCEPTED`&&r!==`FANNED_OUT`?null:(0,F.jsx)(v,{label:y(`repair.pause`),icon:e,needs:`ADMIN`,document:g,input:{kind:`BROADCAST`,target:n},says:({pauseDelivery:e})=>y(`repair.pauses`,{events:e.events,notifications:e.notifications,messages:e.messages}),done:a})}function H({of:{internalId:e,status:t,progress:n},done:r}){let[i,a]=(0,P.useState)(n?.perSecond),s=p(`EDITOR`),c=o(j,r),l=n?.perSecond==null?y(`broadcast.unpaced`):b(n.perSecond);return t!==`ACCEPTED`||!s?l:(0,F.jsx)(d,{trigger:(0,F.jsx)(f,{look:`quiet`,children:l}),label:y(`repair.perSecond`),children:(0,F.jsx)(m,{submit:y(`broadcast.pace`),action:c,onSubmit:()=>c.run({input:{event:e,perSecond:i}}),children:(0,F.jsx)(h,{label:y(`repair.perSecond`),hint:y(`broadcast.paceHint`),at:`perSecond`,value:i,onChange:a})})})}export{R as n,L as r,I as t};