const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/plot-OlVwP8Xr.js","assets/jsx-runtime-DyZJNswf.js","assets/text-DjmMxfOS.js","assets/time-D8_SN1N-.js","assets/overview-figures-D7Z2fgWj.js","assets/plot-BAhHtdzu.css"])))=>i.map(i=>d[i]);
import{N as e,R as t,S as n,it as r,t as i}from"./button-BN0QXP3S.js";import{t as a}from"./refresh-cw-BtLCyfH6.js";import{i as o,n as s,t as c}from"./jsx-runtime-DyZJNswf.js";import{t as l}from"./address-BHq2i49I.js";import{m as u,t as d}from"./document-__yBWdMy.js";import{s as f}from"./form-F0xFNEb5.js";import{n as p}from"./part-DL6hFlwV.js";import{c as m,l as h,o as g}from"./text-DjmMxfOS.js";import{n as _}from"./time-D8_SN1N-.js";import{_ as v,c as y,l as b,m as x,n as S,r as C,t as w,u as T}from"./ui-D2k4UMZz.js";import{u as E}from"./activity-query-BS3T9PDR.js";import{a as D,c as O,l as k,n as A,o as j,r as M,s as N,t as P}from"./overview-figures-D7Z2fgWj.js";var F={name:`arrow-down-right`,size:24,node:[[`path`,{d:`m7 7 10 10`,key:`1fmybs`}],[`path`,{d:`M17 7v10H7`,key:`6fjiku`}]]};F.node;var I=r(F),L={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};L.node;var R=r(L),z={name:`arrow-up-right`,size:24,node:[[`path`,{d:`M7 7h10v10`,key:`1tivn9`}],[`path`,{d:`M7 17 17 7`,key:`1vkiza`}]]};z.node;var B=r(z),V=new d(`
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
}`),H=new d(`
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
    `),U=new d(`
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
    `),W=o(s(),1);function G(e){let t=new Map;for(let{providers:n}of e)for(let e of n){let n=t.get(e.providerId)??{accepted:0,rejected:0,unknown:0};t.set(e.providerId,{accepted:n.accepted+e.accepted,rejected:n.rejected+e.rejected,unknown:n.unknown+e.unknown})}return[...t].map(([e,t])=>({id:e,...t,failures:t.rejected+t.unknown})).sort((e,t)=>t.failures-e.failures||e.id.localeCompare(t.id))}var K=({providers:e},t)=>e.filter(e=>e.providerId===t).reduce((e,t)=>e+t.rejected+t.unknown,0),q=c(),J=p(()=>h(()=>import(`./plot-OlVwP8Xr.js`).then(e=>e.default),__vite__mapDeps([0,1,2,3,4,5])));function Y(){let{get:e,set:t}=l(),n=E.find(t=>t===e(`period`))??`3600`,[r,o]=(0,W.useState)(()=>Date.now());(0,W.useEffect)(()=>{let e=setInterval(()=>document.visibilityState===`visible`&&o(Date.now()),3e4);return()=>clearInterval(e)},[]);let s=j(Number(n),r),c=u(V,{...s,buckets:60});return(0,q.jsxs)(T,{title:m(`nav.overview`),actions:(0,q.jsxs)(q.Fragment,{children:[(0,q.jsx)(f,{label:m(`filter.since`),value:n,onChange:t(`period`),options:E.map(e=>({value:e,label:m(`period.${e}`)}))}),(0,q.jsx)(i,{icon:a,onClick:()=>o(Date.now()),children:m(`common.refresh`)})]}),children:[(0,q.jsx)(te,{at:s.to}),(0,q.jsx)(y,{of:c,children:({present:e,past:t})=>(0,q.jsx)(ee,{of:e,past:t,seconds:n})}),(0,q.jsx)(ne,{from:s.from,to:s.to,since:n})]})}var X=e=>e===null?`–`:g(e,{style:`percent`,maximumFractionDigits:1});function Z({name:t,value:n,differs:r,good:i,href:a}){let o=r?r>0?B:I:R,s=r&&i?r>0==(i===`more`):void 0,c=(0,q.jsxs)(q.Fragment,{children:[(0,q.jsx)(`span`,{className:`soft`,children:t}),(0,q.jsx)(`strong`,{children:n}),r!==void 0&&(0,q.jsx)(`span`,{className:`small delta ${s===void 0?`soft`:s?`better`:`worse`}`,children:r===null?m(`overview.noBefore`):(0,q.jsxs)(q.Fragment,{children:[(0,q.jsx)(o,{"aria-hidden":!0,className:`icon`}),m(`overview.differs`,{percent:X(r)})]})})]});return a?(0,q.jsx)(e,{className:`card figure`,href:a,children:c}):(0,q.jsx)(`div`,{className:`card figure`,children:c})}var Q=[`--brand`,`--good`,`--bad`,`--wait`,`--soft`],$=[void 0,[6,3],[2,3],[8,3,2,3],[1,4]];function ee({of:r,past:i,seconds:a}){let[,o]=t(),s=k(r.buckets),c=k(i.buckets),l=G(r.buckets),u=P(r.buckets),d=N(s.failed,s.messages),f=D(r.buckets,`p95`),p=r.buckets.map(e=>e.start),h=e=>`/activity?view=messages&since=${a}${e}`,v=e=>t=>o(`/activity?${e}${O(t,r.bucketSeconds)}`);return(0,q.jsxs)(q.Fragment,{children:[r.buckets.some(e=>e.estimated)&&(0,q.jsx)(b,{children:m(`overview.estimated`)}),(0,q.jsxs)(`div`,{className:`figures`,children:[(0,q.jsx)(Z,{name:m(`overview.messages`),value:g(s.messages),differs:A(s.messages,c.messages),href:h(``)}),(0,q.jsx)(Z,{name:m(`word.SENT`),value:g(s.sent),differs:A(s.sent,c.sent),good:`more`,href:h(`&status=SENT`)}),(0,q.jsx)(Z,{name:m(`word.FAILED`),value:g(s.failed),differs:A(s.failed,c.failed),good:`less`,href:h(`&status=ERROR`)}),(0,q.jsx)(Z,{name:m(`overview.failureRate`),value:X(d),differs:A(d,N(c.failed,c.messages)),good:`less`,href:h(`&status=ERROR`)}),(0,q.jsx)(Z,{name:m(`overview.waiting`),value:g(s.pending),href:h(`&status=PENDING`)}),(0,q.jsx)(Z,{name:m(`overview.latency`),value:f===null?`–`:_(f),differs:A(f,D(i.buckets,`p95`)),good:`less`})]}),(0,q.jsxs)(`div`,{className:`cols charts`,children:[(0,q.jsx)(S,{children:(0,q.jsx)(J,{title:m(`overview.throughput`),unit:m(`overview.unitMessages`),starts:p,onOpen:v(`view=messages&`),series:[{name:m(`overview.messages`),color:Q[0],values:r.buckets.map(e=>e.messages)},{name:m(`word.SENT`),color:Q[1],dash:$[1],values:r.buckets.map(e=>e.sent)},{name:m(`word.FAILED`),color:Q[2],dash:$[2],values:r.buckets.map(e=>e.failed)}]})}),(0,q.jsx)(S,{children:(0,q.jsx)(J,{title:m(`overview.latencyChart`),unit:`ms`,starts:p,series:[`p50`,`p95`,`p99`].map((e,t)=>({name:e,color:Q[t],dash:$[t],values:r.buckets.map(t=>t.latency?.[e]??null)}))})}),(0,q.jsx)(S,{children:(0,q.jsx)(J,{title:m(`overview.failedRequests`),unit:m(`overview.unitRequests`),starts:p,onOpen:v(`view=requests&status=REJECTED%2CUNKNOWN&`),series:l.slice(0,Q.length).map((e,t)=>({name:e.id,color:Q[t],dash:$[t],values:r.buckets.map(t=>K(t,e.id))}))})}),(0,q.jsx)(S,{title:m(`overview.byChannel`),children:(0,q.jsx)(x,{label:m(`overview.byChannel`),rows:u,id:e=>e.channel,empty:m(`overview.noMessages`),columns:[{name:m(`common.channel`),cell:t=>(0,q.jsx)(e,{href:h(`&channel=${t.channel}`),children:n(t.channel)})},{name:m(`overview.messages`),cell:e=>g(e.messages)},{name:m(`word.FAILED`),cell:t=>(0,q.jsx)(e,{href:h(`&channel=${t.channel}&status=ERROR`),children:g(t.failed)})},{name:m(`overview.failureRate`),cell:e=>X(N(e.failed,e.messages))}]})}),(0,q.jsx)(S,{title:m(`overview.byProvider`),children:(0,q.jsx)(x,{label:m(`overview.byProvider`),rows:l,id:e=>e.id,empty:m(`overview.noRequests`),columns:[{name:m(`common.provider`),cell:t=>(0,q.jsx)(e,{href:`/activity?view=requests&since=${a}&provider=${encodeURIComponent(t.id)}`,children:t.id})},{name:n(`ACCEPTED`),cell:e=>g(e.accepted)},{name:m(`word.FAILED`),cell:t=>(0,q.jsx)(e,{href:`/activity?view=requests&since=${a}&provider=${encodeURIComponent(t.id)}&status=REJECTED%2CUNKNOWN`,children:g(t.failures)})},{name:m(`overview.failureRate`),cell:e=>X(N(e.failures,e.accepted+e.failures))}]})})]})]})}function te({at:t}){let r=u(U,{}),{reload:i}=r;(0,W.useEffect)(i,[t]);let a=v();return(0,q.jsx)(y,{of:r,children:({oldest:t,attention:r,integrations:i})=>{let o=i.nodes.filter(M),s=t.nodes[0],c=s?Math.max(a-Date.parse(s.createdAt),0):0,l=[o.length>0?[`bad`,m(`overview.unhealthy`,{n:o.length}),`/integrations`]:[`good`,m(`overview.healthy`),`/integrations`],r.totalCount>0?[`bad`,m(`overview.parked`,{n:r.totalCount}),`/activity?status=PARKED`]:[`good`,m(`overview.nothingParked`),`/activity?status=PARKED`],c>6e4?[`wait`,m(`overview.lag`,{time:_(c)}),`/activity?status=PENDING`]:[`good`,m(`overview.noLag`),`/activity?status=PENDING`]];return(0,q.jsxs)(S,{title:m(`overview.now`),children:[(0,q.jsx)(`ul`,{className:`facts-row`,children:l.map(([t,n,r])=>(0,q.jsx)(`li`,{children:(0,q.jsx)(e,{href:r,children:(0,q.jsx)(w,{tone:t,children:n})})},r))}),o.length>0&&(0,q.jsx)(x,{label:m(`overview.unhealthyTable`),rows:o,id:e=>e.id,columns:[{name:m(`word.INTEGRATION`),cell:t=>(0,q.jsx)(e,{href:`/integrations/${t.id}`,children:t.name})},{name:m(`common.channel`),cell:e=>n(e.channel)},{name:m(`common.status`),cell:e=>e.breaker===`CLOSED`?(0,q.jsx)(w,{tone:`wait`,children:m(`overview.failing`)}):(0,q.jsx)(w,{tone:`bad`,children:m(`overview.breakerOpen`)})},{name:m(`word.FAILED`),cell:t=>(0,q.jsx)(e,{href:`/activity?view=requests&since=3600&integration=${encodeURIComponent(t.id)}&status=REJECTED%2CUNKNOWN`,children:g((t.health?.rejected??0)+(t.health?.unknown??0))})},{name:m(`word.ERROR`),cell:e=>e.breakerCause??`–`}]})]})}})}function ne({from:e,to:t,since:r}){let i=u(H,{from:e,to:t});return(0,q.jsx)(S,{title:m(`overview.engagement`),children:(0,q.jsx)(y,{of:i,children:e=>{let t=({totalCount:e,totalCountCapped:t})=>g(e)+(t?`+`:``);if(![e.delivered,e.opened,e.clicked,e.bounced,e.inbox].some(e=>e.totalCount>0))return(0,q.jsx)(C,{children:m(`overview.noEngagement`)});let i=e=>`/receipts?since=${r}&kind=${e}`;return(0,q.jsxs)(`div`,{className:`figures`,children:[(0,q.jsx)(Z,{name:n(`DELIVERED`),value:t(e.delivered),href:i(`DELIVERED`)}),(0,q.jsx)(Z,{name:n(`OPENED`),value:t(e.opened),href:i(`OPENED`)}),(0,q.jsx)(Z,{name:n(`CLICKED`),value:t(e.clicked),href:i(`CLICKED`)}),(0,q.jsx)(Z,{name:m(`overview.bounced`),value:t(e.bounced),href:i(`BOUNCED`)}),(0,q.jsx)(Z,{name:m(`overview.read`),value:`${t(e.read)} / ${t(e.inbox)}`,href:`/activity?view=messages&channel=IN_APP&since=${r}`})]})}})})}export{Y as Overview};