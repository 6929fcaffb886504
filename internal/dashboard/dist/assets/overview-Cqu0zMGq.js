const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/plot-Tzl06v8c.js","assets/jsx-runtime-DyZJNswf.js","assets/text-AeBTDtkA.js","assets/time-D8_SN1N-.js","assets/overview-figures-D7Z2fgWj.js","assets/plot-BAhHtdzu.css"])))=>i.map(i=>d[i]);
import{A as e,F as t,t as n,tt as r}from"./button-DrZok8y8.js";import{t as i}from"./refresh-cw-GPeuQIX_.js";import{i as a,n as o,t as s}from"./jsx-runtime-DyZJNswf.js";import{t as c}from"./address-AAVe8LmF.js";import{f as l,t as u}from"./document-DOpnm8OA.js";import{s as d}from"./form-LUm_ZQFx.js";import{n as f}from"./part-CdloLQ9-.js";import{c as p,l as m,o as h}from"./text-AeBTDtkA.js";import{n as g}from"./time-D8_SN1N-.js";import{_,c as v,l as y,m as b,n as x,r as S,t as C,u as w}from"./ui-Bua6Uujo.js";import{t as T}from"./words-BFceARnm.js";import{u as E}from"./activity-query-BS3T9PDR.js";import{a as D,c as O,l as k,n as A,o as j,r as M,s as N,t as P}from"./overview-figures-D7Z2fgWj.js";var F={name:`arrow-down-right`,size:24,node:[[`path`,{d:`m7 7 10 10`,key:`1fmybs`}],[`path`,{d:`M17 7v10H7`,key:`6fjiku`}]]};F.node;var I=r(F),L={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};L.node;var R=r(L),z={name:`arrow-up-right`,size:24,node:[[`path`,{d:`M7 7h10v10`,key:`1tivn9`}],[`path`,{d:`M7 17 17 7`,key:`1vkiza`}]]};z.node;var B=r(z),V=new u(`
    query Statistics($from: Time!, $to: Time!, $before: Time!, $buckets: Int!) {
  present: deliveryStatistics(from: $from, to: $to, buckets: $buckets) {
    ...Numbers
  }
  past: deliveryStatistics(from: $before, to: $from, buckets: $buckets) {
    ...Numbers
  }
}
    fragment Numbers on DeliveryStatistics {
  from
  to
  bucketSeconds
  buckets {
    start
    messages
    sent
    failed
    pending
    estimated
    latency {
      p50
      p95
      p99
    }
    channels {
      channel
      messages
      sent
      failed
      pending
    }
    providers {
      providerId
      accepted
      rejected
      unknown
    }
  }
}`),H=new u(`
    query Engagement($from: Time!, $to: Time!) {
  delivered: receipts(
    first: 1
    filter: {kindIn: [DELIVERED], createdAfter: $from, createdBefore: $to}
  ) {
    totalCount
    totalCountCapped
  }
  opened: receipts(
    first: 1
    filter: {kindIn: [OPENED], createdAfter: $from, createdBefore: $to}
  ) {
    totalCount
    totalCountCapped
  }
  clicked: receipts(
    first: 1
    filter: {kindIn: [CLICKED], createdAfter: $from, createdBefore: $to}
  ) {
    totalCount
    totalCountCapped
  }
  bounced: receipts(
    first: 1
    filter: {kindIn: [BOUNCED, COMPLAINED], createdAfter: $from, createdBefore: $to}
  ) {
    totalCount
    totalCountCapped
  }
  inbox: messages(
    first: 1
    filter: {channelIn: [IN_APP], createdAfter: $from, createdBefore: $to}
  ) {
    totalCount
    totalCountCapped
  }
  read: messages(
    first: 1
    filter: {channelIn: [IN_APP], read: true, createdAfter: $from, createdBefore: $to}
  ) {
    totalCount
    totalCountCapped
  }
}
    `),U=new u(`
    query State {
  oldest: notifications(
    first: 1
    filter: {statusIn: [PENDING]}
    orderBy: {field: ID, direction: ASC}
  ) {
    nodes {
      id
      createdAt
    }
  }
  attention: notifications(first: 1, filter: {statusIn: [PARKED]}) {
    totalCount
    totalCountCapped
  }
  integrations(first: 50) {
    nodes {
      id
      name
      providerId
      channel
      active
      breaker
      breakerCause
      health {
        attempts
        accepted
        rejected
        unknown
      }
    }
  }
}
    `),W=a(o(),1);function G(e){let t=new Map;for(let{providers:n}of e)for(let e of n){let n=t.get(e.providerId)??{accepted:0,rejected:0,unknown:0};t.set(e.providerId,{accepted:n.accepted+e.accepted,rejected:n.rejected+e.rejected,unknown:n.unknown+e.unknown})}return[...t].map(([e,t])=>({id:e,...t,failures:t.rejected+t.unknown})).sort((e,t)=>t.failures-e.failures||e.id.localeCompare(t.id))}var K=({providers:e},t)=>e.filter(e=>e.providerId===t).reduce((e,t)=>e+t.rejected+t.unknown,0),q=s(),J=f(()=>m(()=>import(`./plot-Tzl06v8c.js`).then(e=>e.default),__vite__mapDeps([0,1,2,3,4,5])));function Y(){let{get:e,set:t}=c(),r=E.find(t=>t===e(`period`))??`3600`,[a,o]=(0,W.useState)(()=>Date.now());(0,W.useEffect)(()=>{let e=setInterval(()=>document.visibilityState===`visible`&&o(Date.now()),3e4);return()=>clearInterval(e)},[]);let s=j(Number(r),a),u=l(V,{...s,buckets:60});return(0,q.jsxs)(w,{title:p(`nav.overview`),actions:(0,q.jsxs)(q.Fragment,{children:[(0,q.jsx)(d,{label:p(`filter.since`),value:r,onChange:t(`period`),options:E.map(e=>({value:e,label:p(`period.${e}`)}))}),(0,q.jsx)(n,{icon:i,onClick:()=>o(Date.now()),children:p(`common.refresh`)})]}),children:[(0,q.jsx)(te,{at:s.to}),(0,q.jsx)(v,{of:u,children:({present:e,past:t})=>(0,q.jsx)(ee,{of:e,past:t,seconds:r})}),(0,q.jsx)(ne,{from:s.from,to:s.to,since:r})]})}var X=e=>e===null?`–`:h(e,{style:`percent`,maximumFractionDigits:1});function Z({name:t,value:n,differs:r,good:i,href:a}){let o=r?r>0?B:I:R,s=r&&i?r>0==(i===`more`):void 0,c=(0,q.jsxs)(q.Fragment,{children:[(0,q.jsx)(`span`,{className:`soft`,children:t}),(0,q.jsx)(`strong`,{children:n}),r!==void 0&&(0,q.jsx)(`span`,{className:`small delta ${s===void 0?`soft`:s?`better`:`worse`}`,children:r===null?p(`overview.noBefore`):(0,q.jsxs)(q.Fragment,{children:[(0,q.jsx)(o,{"aria-hidden":!0,className:`icon`}),p(`overview.differs`,{percent:X(r)})]})})]});return a?(0,q.jsx)(e,{className:`card figure`,href:a,children:c}):(0,q.jsx)(`div`,{className:`card figure`,children:c})}var Q=[`--brand`,`--good`,`--bad`,`--wait`,`--soft`],$=[void 0,[6,3],[2,3],[8,3,2,3],[1,4]];function ee({of:n,past:r,seconds:i}){let[,a]=t(),o=k(n.buckets),s=k(r.buckets),c=G(n.buckets),l=P(n.buckets),u=N(o.failed,o.messages),d=D(n.buckets,`p95`),f=n.buckets.map(e=>e.start),m=e=>`/activity?view=messages&since=${i}${e}`,_=e=>t=>a(`/activity?${e}${O(t,n.bucketSeconds)}`);return(0,q.jsxs)(q.Fragment,{children:[n.buckets.some(e=>e.estimated)&&(0,q.jsx)(y,{children:p(`overview.estimated`)}),(0,q.jsxs)(`div`,{className:`figures`,children:[(0,q.jsx)(Z,{name:p(`overview.messages`),value:h(o.messages),differs:A(o.messages,s.messages),href:m(``)}),(0,q.jsx)(Z,{name:p(`word.SENT`),value:h(o.sent),differs:A(o.sent,s.sent),good:`more`,href:m(`&status=SENT`)}),(0,q.jsx)(Z,{name:p(`word.FAILED`),value:h(o.failed),differs:A(o.failed,s.failed),good:`less`,href:m(`&status=ERROR`)}),(0,q.jsx)(Z,{name:p(`overview.failureRate`),value:X(u),differs:A(u,N(s.failed,s.messages)),good:`less`,href:m(`&status=ERROR`)}),(0,q.jsx)(Z,{name:p(`overview.waiting`),value:h(o.pending),href:m(`&status=PENDING`)}),(0,q.jsx)(Z,{name:p(`overview.latency`),value:d===null?`–`:g(d),differs:A(d,D(r.buckets,`p95`)),good:`less`})]}),(0,q.jsxs)(`div`,{className:`cols charts`,children:[(0,q.jsx)(x,{children:(0,q.jsx)(J,{title:p(`overview.throughput`),unit:p(`overview.unitMessages`),starts:f,onOpen:_(`view=messages&`),series:[{name:p(`overview.messages`),color:Q[0],values:n.buckets.map(e=>e.messages)},{name:p(`word.SENT`),color:Q[1],dash:$[1],values:n.buckets.map(e=>e.sent)},{name:p(`word.FAILED`),color:Q[2],dash:$[2],values:n.buckets.map(e=>e.failed)}]})}),(0,q.jsx)(x,{children:(0,q.jsx)(J,{title:p(`overview.latencyChart`),unit:`ms`,starts:f,series:[`p50`,`p95`,`p99`].map((e,t)=>({name:e,color:Q[t],dash:$[t],values:n.buckets.map(t=>t.latency?.[e]??null)}))})}),(0,q.jsx)(x,{children:(0,q.jsx)(J,{title:p(`overview.failedRequests`),unit:p(`overview.unitRequests`),starts:f,onOpen:_(`view=requests&status=REJECTED%2CUNKNOWN&`),series:c.slice(0,Q.length).map((e,t)=>({name:e.id,color:Q[t],dash:$[t],values:n.buckets.map(t=>K(t,e.id))}))})}),(0,q.jsx)(x,{title:p(`overview.byChannel`),children:(0,q.jsx)(b,{label:p(`overview.byChannel`),rows:l,id:e=>e.channel,empty:p(`overview.noMessages`),columns:[{name:p(`common.channel`),cell:t=>(0,q.jsx)(e,{href:m(`&channel=${t.channel}`),children:T(t.channel)})},{name:p(`overview.messages`),cell:e=>h(e.messages)},{name:p(`word.FAILED`),cell:t=>(0,q.jsx)(e,{href:m(`&channel=${t.channel}&status=ERROR`),children:h(t.failed)})},{name:p(`overview.failureRate`),cell:e=>X(N(e.failed,e.messages))}]})}),(0,q.jsx)(x,{title:p(`overview.byProvider`),children:(0,q.jsx)(b,{label:p(`overview.byProvider`),rows:c,id:e=>e.id,empty:p(`overview.noRequests`),columns:[{name:p(`common.provider`),cell:t=>(0,q.jsx)(e,{href:`/activity?view=requests&since=${i}&provider=${encodeURIComponent(t.id)}`,children:t.id})},{name:T(`ACCEPTED`),cell:e=>h(e.accepted)},{name:p(`word.FAILED`),cell:t=>(0,q.jsx)(e,{href:`/activity?view=requests&since=${i}&provider=${encodeURIComponent(t.id)}&status=REJECTED%2CUNKNOWN`,children:h(t.failures)})},{name:p(`overview.failureRate`),cell:e=>X(N(e.failures,e.accepted+e.failures))}]})})]})]})}function te({at:t}){let n=l(U,{}),{reload:r}=n;(0,W.useEffect)(r,[t]);let i=_();return(0,q.jsx)(v,{of:n,children:({oldest:t,attention:n,integrations:r})=>{let a=r.nodes.filter(M),o=t.nodes[0],s=o?Math.max(i-Date.parse(o.createdAt),0):0,c=[a.length>0?[`bad`,p(`overview.unhealthy`,{n:a.length}),`/integrations`]:[`good`,p(`overview.healthy`),`/integrations`],n.totalCount>0?[`bad`,p(`overview.parked`,{n:n.totalCount}),`/activity?status=PARKED`]:[`good`,p(`overview.nothingParked`),`/activity?status=PARKED`],s>6e4?[`wait`,p(`overview.lag`,{time:g(s)}),`/activity?status=PENDING`]:[`good`,p(`overview.noLag`),`/activity?status=PENDING`]];return(0,q.jsxs)(x,{title:p(`overview.now`),children:[(0,q.jsx)(`ul`,{className:`facts-row`,children:c.map(([t,n,r])=>(0,q.jsx)(`li`,{children:(0,q.jsx)(e,{href:r,children:(0,q.jsx)(C,{tone:t,children:n})})},r))}),a.length>0&&(0,q.jsx)(b,{label:p(`overview.unhealthyTable`),rows:a,id:e=>e.id,columns:[{name:p(`word.INTEGRATION`),cell:t=>(0,q.jsx)(e,{href:`/integrations/${t.id}`,children:t.name})},{name:p(`common.channel`),cell:e=>T(e.channel)},{name:p(`common.status`),cell:e=>e.breaker===`CLOSED`?(0,q.jsx)(C,{tone:`wait`,children:p(`overview.failing`)}):(0,q.jsx)(C,{tone:`bad`,children:p(`overview.breakerOpen`)})},{name:p(`word.FAILED`),cell:t=>(0,q.jsx)(e,{href:`/activity?view=requests&since=3600&integration=${encodeURIComponent(t.id)}&status=REJECTED%2CUNKNOWN`,children:h((t.health?.rejected??0)+(t.health?.unknown??0))})},{name:p(`word.ERROR`),cell:e=>e.breakerCause??`–`}]})]})}})}function ne({from:e,to:t,since:n}){let r=l(H,{from:e,to:t});return(0,q.jsx)(x,{title:p(`overview.engagement`),children:(0,q.jsx)(v,{of:r,children:e=>{let t=({totalCount:e,totalCountCapped:t})=>h(e)+(t?`+`:``);if(![e.delivered,e.opened,e.clicked,e.bounced,e.inbox].some(e=>e.totalCount>0))return(0,q.jsx)(S,{children:p(`overview.noEngagement`)});let r=e=>`/receipts?since=${n}&kind=${e}`;return(0,q.jsxs)(`div`,{className:`figures`,children:[(0,q.jsx)(Z,{name:T(`DELIVERED`),value:t(e.delivered),href:r(`DELIVERED`)}),(0,q.jsx)(Z,{name:T(`OPENED`),value:t(e.opened),href:r(`OPENED`)}),(0,q.jsx)(Z,{name:T(`CLICKED`),value:t(e.clicked),href:r(`CLICKED`)}),(0,q.jsx)(Z,{name:p(`overview.bounced`),value:t(e.bounced),href:r(`BOUNCED`)}),(0,q.jsx)(Z,{name:p(`overview.read`),value:`${t(e.read)} / ${t(e.inbox)}`,href:`/activity?view=messages&channel=IN_APP&since=${n}`})]})}})})}export{Y as Overview};