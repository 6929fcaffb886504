const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/plot-Cqz3m-Ep.js","assets/jsx-runtime-DyZJNswf.js","assets/text-Dt6ehE6o.js","assets/time-DvGTIypY.js","assets/overview-figures-Bi4B4Qek.js","assets/plot-BAhHtdzu.css"])))=>i.map(i=>d[i]);
import{N as e,R as t,S as n,it as r,t as i}from"./button-Dgb5THJ5.js";import{t as a}from"./refresh-cw-CFOpgsE1.js";import{i as o,n as s,t as c}from"./jsx-runtime-DyZJNswf.js";import{t as l}from"./address-NG03ewlH.js";import{m as u,t as d}from"./document-dlEMawag.js";import{s as f}from"./form-DrW5btIS.js";import{n as p}from"./part-9GbZ8c9x.js";import{c as m,l as h,o as g}from"./text-Dt6ehE6o.js";import{n as _}from"./time-DvGTIypY.js";import{_ as v,c as y,l as b,m as x,n as S,r as ee,t as C,u as te}from"./ui-CoQ-QTUx.js";import{u as w}from"./activity-query-BS3T9PDR.js";import{a as T,c as E,d as D,l as O,n as k,o as A,r as j,s as M,t as N,u as P}from"./overview-figures-Bi4B4Qek.js";var F={name:`arrow-down-right`,size:24,node:[[`path`,{d:`m7 7 10 10`,key:`1fmybs`}],[`path`,{d:`M17 7v10H7`,key:`6fjiku`}]]};F.node;var ne=r(F),I={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};I.node;var L=r(I),R={name:`arrow-up-right`,size:24,node:[[`path`,{d:`M7 7h10v10`,key:`1tivn9`}],[`path`,{d:`M7 17 17 7`,key:`1vkiza`}]]};R.node;var z=r(R),B=new d(`
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
}`),V=new d(`
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
    `),H=new d(`
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
    `),U=o(s(),1);function W(e){let t=new Map;for(let{providers:n}of e)for(let e of n){let n=t.get(e.providerId)??{accepted:0,rejected:0,unknown:0};t.set(e.providerId,{accepted:n.accepted+e.accepted,rejected:n.rejected+e.rejected,unknown:n.unknown+e.unknown})}return[...t].map(([e,t])=>({id:e,...t,failures:t.rejected+t.unknown})).sort((e,t)=>t.failures-e.failures||e.id.localeCompare(t.id))}var G=({providers:e},t)=>e.filter(e=>e.providerId===t).reduce((e,t)=>e+t.rejected+t.unknown,0),K=c(),q=p(()=>h(()=>import(`./plot-Cqz3m-Ep.js`).then(e=>e.default),__vite__mapDeps([0,1,2,3,4,5])));function J(e){let[t,n]=(0,U.useState)(()=>Date.now());return(0,U.useEffect)(()=>{let t=setInterval(()=>document.visibilityState===`visible`&&n(Date.now()),e);return()=>clearInterval(t)},[e]),[t,()=>n(Date.now())]}function Y(){let{get:e,set:t}=l(),n=w.find(t=>t===e(`period`))??`3600`,[r,o]=J(A),[s,c]=J(E(Number(n))),d=M(Number(n),s),p=u(B,{...d,buckets:60});return(0,K.jsxs)(te,{title:m(`nav.overview`),actions:(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(f,{label:m(`filter.since`),value:n,onChange:e=>{t(`period`)(e),c()},options:w.map(e=>({value:e,label:m(`period.${e}`)}))}),(0,K.jsx)(i,{icon:a,onClick:()=>{o(),c()},children:m(`common.refresh`)})]}),children:[(0,K.jsx)(ie,{at:new Date(r).toISOString()}),(0,K.jsx)(y,{of:p,children:({present:e,past:t})=>(0,K.jsx)(re,{of:e,past:t,seconds:n})}),(0,K.jsx)(ae,{from:d.from,to:d.to,since:n})]})}var X=e=>e===null?`–`:g(e,{style:`percent`,maximumFractionDigits:1});function Z({name:t,value:n,differs:r,good:i,href:a}){let o=r?r>0?z:ne:L,s=r&&i?r>0==(i===`more`):void 0,c=(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(`span`,{className:`soft`,children:t}),(0,K.jsx)(`strong`,{children:n}),r!==void 0&&(0,K.jsx)(`span`,{className:`small delta ${s===void 0?`soft`:s?`better`:`worse`}`,children:r===null?m(`overview.noBefore`):(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(o,{"aria-hidden":!0,className:`icon`}),m(`overview.differs`,{percent:X(r)})]})})]});return a?(0,K.jsx)(e,{className:`card figure`,href:a,children:c}):(0,K.jsx)(`div`,{className:`card figure`,children:c})}var Q=[`--brand`,`--good`,`--bad`,`--wait`,`--soft`],$=[void 0,[6,3],[2,3],[8,3,2,3],[1,4]];function re({of:r,past:i,seconds:a}){let[,o]=t(),s=D(r.buckets),c=D(i.buckets),l=W(r.buckets),u=N(r.buckets),d=O(s.failed,s.messages),f=T(r.buckets,`p95`),p=r.buckets.map(e=>e.start),h=e=>`/activity?view=messages&since=${a}${e}`,v=e=>t=>o(`/activity?${e}${P(t,r.bucketSeconds)}`);return(0,K.jsxs)(K.Fragment,{children:[r.buckets.some(e=>e.estimated)&&(0,K.jsx)(b,{children:m(`overview.estimated`)}),(0,K.jsxs)(`div`,{className:`figures`,children:[(0,K.jsx)(Z,{name:m(`overview.messages`),value:g(s.messages),differs:k(s.messages,c.messages),href:h(``)}),(0,K.jsx)(Z,{name:m(`word.SENT`),value:g(s.sent),differs:k(s.sent,c.sent),good:`more`,href:h(`&status=SENT`)}),(0,K.jsx)(Z,{name:m(`word.FAILED`),value:g(s.failed),differs:k(s.failed,c.failed),good:`less`,href:h(`&status=ERROR`)}),(0,K.jsx)(Z,{name:m(`overview.failureRate`),value:X(d),differs:k(d,O(c.failed,c.messages)),good:`less`,href:h(`&status=ERROR`)}),(0,K.jsx)(Z,{name:m(`overview.waiting`),value:g(s.pending),href:h(`&status=PENDING`)}),(0,K.jsx)(Z,{name:m(`overview.latency`),value:f===null?`–`:_(f),differs:k(f,T(i.buckets,`p95`)),good:`less`})]}),(0,K.jsxs)(`div`,{className:`cols charts`,children:[(0,K.jsx)(S,{children:(0,K.jsx)(q,{title:m(`overview.throughput`),unit:m(`overview.unitMessages`),starts:p,onOpen:v(`view=messages&`),series:[{name:m(`overview.messages`),color:Q[0],values:r.buckets.map(e=>e.messages)},{name:m(`word.SENT`),color:Q[1],dash:$[1],values:r.buckets.map(e=>e.sent)},{name:m(`word.FAILED`),color:Q[2],dash:$[2],values:r.buckets.map(e=>e.failed)}]})}),(0,K.jsx)(S,{children:(0,K.jsx)(q,{title:m(`overview.latencyChart`),unit:`ms`,starts:p,series:[`p50`,`p95`,`p99`].map((e,t)=>({name:e,color:Q[t],dash:$[t],values:r.buckets.map(t=>t.latency?.[e]??null)}))})}),(0,K.jsx)(S,{children:(0,K.jsx)(q,{title:m(`overview.failedRequests`),unit:m(`overview.unitRequests`),starts:p,onOpen:v(`view=requests&status=REJECTED%2CUNKNOWN&`),series:l.slice(0,Q.length).map((e,t)=>({name:e.id,color:Q[t],dash:$[t],values:r.buckets.map(t=>G(t,e.id))}))})}),(0,K.jsx)(S,{title:m(`overview.byChannel`),children:(0,K.jsx)(x,{label:m(`overview.byChannel`),rows:u,id:e=>e.channel,empty:m(`overview.noMessages`),columns:[{name:m(`common.channel`),cell:t=>(0,K.jsx)(e,{href:h(`&channel=${t.channel}`),children:n(t.channel)})},{name:m(`overview.messages`),cell:e=>g(e.messages)},{name:m(`word.FAILED`),cell:t=>(0,K.jsx)(e,{href:h(`&channel=${t.channel}&status=ERROR`),children:g(t.failed)})},{name:m(`overview.failureRate`),cell:e=>X(O(e.failed,e.messages))}]})}),(0,K.jsx)(S,{title:m(`overview.byProvider`),children:(0,K.jsx)(x,{label:m(`overview.byProvider`),rows:l,id:e=>e.id,empty:m(`overview.noRequests`),columns:[{name:m(`common.provider`),cell:t=>(0,K.jsx)(e,{href:`/activity?view=requests&since=${a}&provider=${encodeURIComponent(t.id)}`,children:t.id})},{name:n(`ACCEPTED`),cell:e=>g(e.accepted)},{name:m(`word.FAILED`),cell:t=>(0,K.jsx)(e,{href:`/activity?view=requests&since=${a}&provider=${encodeURIComponent(t.id)}&status=REJECTED%2CUNKNOWN`,children:g(t.failures)})},{name:m(`overview.failureRate`),cell:e=>X(O(e.failures,e.accepted+e.failures))}]})})]})]})}function ie({at:t}){let r=u(H,{}),{reload:i}=r;(0,U.useEffect)(i,[t]);let a=v();return(0,K.jsx)(y,{of:r,children:({oldest:t,attention:r,integrations:i})=>{let o=i.nodes.filter(j),s=t.nodes[0],c=s?Math.max(a-Date.parse(s.createdAt),0):0,l=[o.length>0?[`bad`,m(`overview.unhealthy`,{n:o.length}),`/integrations`]:[`good`,m(`overview.healthy`),`/integrations`],r.totalCount>0?[`bad`,m(`overview.parked`,{n:r.totalCount}),`/activity?status=PARKED`]:[`good`,m(`overview.nothingParked`),`/activity?status=PARKED`],c>6e4?[`wait`,m(`overview.lag`,{time:_(c)}),`/activity?status=PENDING`]:[`good`,m(`overview.noLag`),`/activity?status=PENDING`]];return(0,K.jsxs)(S,{title:m(`overview.now`),children:[(0,K.jsx)(`ul`,{className:`facts-row`,children:l.map(([t,n,r])=>(0,K.jsx)(`li`,{children:(0,K.jsx)(e,{href:r,children:(0,K.jsx)(C,{tone:t,children:n})})},r))}),o.length>0&&(0,K.jsx)(x,{label:m(`overview.unhealthyTable`),rows:o,id:e=>e.id,columns:[{name:m(`word.INTEGRATION`),cell:t=>(0,K.jsx)(e,{href:`/integrations/${t.id}`,children:t.name})},{name:m(`common.channel`),cell:e=>n(e.channel)},{name:m(`common.status`),cell:e=>e.breaker===`CLOSED`?(0,K.jsx)(C,{tone:`wait`,children:m(`overview.failing`)}):(0,K.jsx)(C,{tone:`bad`,children:m(`overview.breakerOpen`)})},{name:m(`word.FAILED`),cell:t=>(0,K.jsx)(e,{href:`/activity?view=requests&since=3600&integration=${encodeURIComponent(t.id)}&status=REJECTED%2CUNKNOWN`,children:g((t.health?.rejected??0)+(t.health?.unknown??0))})},{name:m(`word.ERROR`),cell:e=>e.breakerCause??`–`}]})]})}})}function ae({from:e,to:t,since:r}){let i=u(V,{from:e,to:t});return(0,K.jsx)(S,{title:m(`overview.engagement`),children:(0,K.jsx)(y,{of:i,children:e=>{let t=({totalCount:e,totalCountCapped:t})=>g(e)+(t?`+`:``);if(![e.delivered,e.opened,e.clicked,e.bounced,e.inbox].some(e=>e.totalCount>0))return(0,K.jsx)(ee,{children:m(`overview.noEngagement`)});let i=e=>`/receipts?since=${r}&kind=${e}`;return(0,K.jsxs)(`div`,{className:`figures`,children:[(0,K.jsx)(Z,{name:n(`DELIVERED`),value:t(e.delivered),href:i(`DELIVERED`)}),(0,K.jsx)(Z,{name:n(`OPENED`),value:t(e.opened),href:i(`OPENED`)}),(0,K.jsx)(Z,{name:n(`CLICKED`),value:t(e.clicked),href:i(`CLICKED`)}),(0,K.jsx)(Z,{name:m(`overview.bounced`),value:t(e.bounced),href:i(`BOUNCED`)}),(0,K.jsx)(Z,{name:m(`overview.read`),value:`${t(e.read)} / ${t(e.inbox)}`,href:`/activity?view=messages&channel=IN_APP&since=${r}`})]})}})})}export{Y as Overview};