import{t as e}from"./pencil-znexNhq2.js";import{t}from"./plus-BcR5Copq.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{A as a,_ as o,a as s,i as c,t as l}from"./button-C2jgqasV.js";import{r as u}from"./address-CuHLyZnn.js";import{f as d,t as f,u as p}from"./document-DB1uREhl.js";import{c as m,o as h}from"./text-DqNWG3dt.js";import{a as g,c as _,d as v,g as y,l as b,m as x,n as S,t as C,u as w}from"./ui-roPAMa49.js";import{t as T}from"./words-w0JacNS_.js";import{i as E,l as D,n as O,o as k,s as A}from"./form-DCMhYeF4.js";import{s as j,t as M}from"./lists-DVkFUpFN.js";var N=new f(`
    query AlertRules($first: Int, $after: String, $last: Int, $before: String) {
  alertRules(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      ...AlertParts
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    fragment AlertParts on AlertRule {
  id
  name
  condition
  workflow
  integration
  channel
  threshold
  recoverBelow
  minimum
  windowMinutes
  openAfterMinutes
  recoverAfterMinutes
  remindAfterMinutes
  notifyWorkflow
  notifySubscribers
  notifyTopics
  pause
  enabled
  silencedUntil
  state
  value
  problem
}`),P=new f(`
    query AlertIncidents($first: Int, $after: String, $last: Int, $before: String) {
  alertIncidents(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      openedAt
      closedAt
      peak
      notices
      rule {
        name
        condition
      }
      subscriber {
        subscriberId
      }
      pause {
        id
        resumedAt
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
    `),F=new f(`
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),I=new f(`
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
  updateAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),L=new f(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    deletedId
  }
}
    `),R=new f(`
    mutation SilenceAlertRule($input: SilenceAlertRuleInput!) {
  silenceAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),z=new f(`
    mutation TestAlertRule($id: ID!) {
  testAlertRule(id: $id) {
    event {
      id
    }
  }
}
    `),B=new f(`
    query AlertChoices {
  workflows(first: 100) {
    nodes {
      identifier
    }
  }
  integrations(first: 100) {
    nodes {
      identifier
    }
  }
  subscribers(first: 100) {
    nodes {
      subscriberId
    }
  }
  topics(first: 100) {
    nodes {
      key
    }
  }
}
    `),V=n(r(),1),H=i(),U=[`FAILURE_RATE`,`UNHEALTHY_INTEGRATION`,`LAG`,`NO_MESSAGES`,`VOLUME`,`SUBSCRIBER_VOLUME`],W=[`IN_APP`,`EMAIL`,`SMS`,`CHAT`,`PUSH`],G={FAILURE_RATE:10,UNHEALTHY_INTEGRATION:1,LAG:300,NO_MESSAGES:60,VOLUME:1e4,SUBSCRIBER_VOLUME:100};function K({of:e,onClose:t,onDone:n}){let[r,i]=(0,V.useState)({name:e?.name??``,condition:e?.condition??`FAILURE_RATE`,workflow:e?.workflow??``,integration:e?.integration??``,channel:e?.channel??``,threshold:e?.threshold??G.FAILURE_RATE,recoverBelow:e?.recoverBelow??void 0,minimum:e?.minimum||20,windowMinutes:e?.windowMinutes||15,openAfterMinutes:e?.openAfterMinutes??0,recoverAfterMinutes:e?.recoverAfterMinutes??5,remindAfterMinutes:e?.remindAfterMinutes??void 0,notifyWorkflow:e?.notifyWorkflow??``,notifySubscribers:e?.notifySubscribers.join(`, `)??``,notifyTopics:e?.notifyTopics.join(`, `)??``,pause:e?.pause??!1,enabled:e?.enabled??!0}),a=e=>t=>i(n=>({...n,[e]:t})),{data:o}=d(B,{}),c=o?.workflows.nodes.map(e=>e.identifier),l=p(F,n),u=p(I,n),f=[`FAILURE_RATE`,`VOLUME`,`SUBSCRIBER_VOLUME`].includes(r.condition),h=r.condition===`FAILURE_RATE`,g={name:r.name,threshold:r.threshold,recoverBelow:r.recoverBelow??null,minimum:h?r.minimum:void 0,windowMinutes:f?r.windowMinutes:void 0,openAfterMinutes:r.openAfterMinutes,recoverAfterMinutes:r.recoverAfterMinutes,remindAfterMinutes:r.remindAfterMinutes??null,notifyWorkflow:r.notifyWorkflow||null,notifySubscribers:j(r.notifySubscribers),notifyTopics:j(r.notifyTopics),pause:f&&r.pause,enabled:r.enabled},_=r.condition!==`LAG`,v=_&&r.condition!==`UNHEALTHY_INTEGRATION`;return(0,H.jsx)(s,{title:e?e.name:m(`alert.new`),onClose:t,children:(0,H.jsxs)(E,{submit:m(`common.save`),action:e?u:l,onSubmit:()=>e?u.run({input:{id:e.id,...g}}):l.run({input:{...g,condition:r.condition,workflow:v&&r.workflow||void 0,integration:_&&r.integration||void 0,channel:_&&r.channel||void 0}}),children:[(0,H.jsx)(D,{label:m(`common.name`),at:`name`,value:r.name,onChange:a(`name`),required:!0}),!e&&(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(A,{label:m(`alert.condition`),at:`condition`,value:r.condition,onChange:e=>{let t=e;i(e=>({...e,condition:t,threshold:G[t],recoverBelow:void 0}))},options:U.map(e=>({value:e,label:m(`alert.of.${e}`)}))}),v&&(0,H.jsx)(D,{label:m(`alert.workflow`),hint:m(`alert.narrowHint`),at:`workflow`,value:r.workflow,onChange:a(`workflow`),choices:c}),_&&(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(D,{label:m(`alert.integration`),at:`integration`,value:r.integration,onChange:a(`integration`),choices:o?.integrations.nodes.map(e=>e.identifier)}),(0,H.jsx)(A,{label:m(`alert.channel`),at:`channel`,value:r.channel,onChange:e=>a(`channel`)(e),options:[{value:``,label:m(`alert.any`)},...W.map(e=>({value:e,label:T(e)}))]})]})]}),(0,H.jsx)(k,{label:m(`alert.threshold`),hint:m(`alert.unit.${r.condition}`),at:`threshold`,value:r.threshold,onChange:a(`threshold`)}),(0,H.jsx)(k,{label:m(`alert.recoverBelow`),hint:m(`alert.recoverBelowHint`),at:`recoverBelow`,value:r.recoverBelow,onChange:a(`recoverBelow`)}),f&&(0,H.jsx)(k,{label:m(`alert.window`),at:`windowMinutes`,value:r.windowMinutes,onChange:a(`windowMinutes`)}),h&&(0,H.jsx)(k,{label:m(`alert.minimum`),hint:m(`alert.minimumHint`),at:`minimum`,value:r.minimum,onChange:a(`minimum`)}),(0,H.jsx)(k,{label:m(`alert.openAfter`),at:`openAfterMinutes`,value:r.openAfterMinutes,onChange:a(`openAfterMinutes`)}),(0,H.jsx)(k,{label:m(`alert.recoverAfter`),at:`recoverAfterMinutes`,value:r.recoverAfterMinutes,onChange:a(`recoverAfterMinutes`)}),(0,H.jsx)(k,{label:m(`alert.remindAfter`),hint:m(`alert.remindHint`),at:`remindAfterMinutes`,value:r.remindAfterMinutes,onChange:a(`remindAfterMinutes`)}),(0,H.jsx)(D,{label:m(`alert.notifyWorkflow`),hint:m(`alert.notifyHint`),at:`notifyWorkflow`,value:r.notifyWorkflow,onChange:a(`notifyWorkflow`),choices:c}),(0,H.jsx)(D,{label:m(`alert.subscribers`),hint:m(`settings.separatedByCommas`),at:`notifySubscribers`,value:r.notifySubscribers,onChange:a(`notifySubscribers`),choices:M(r.notifySubscribers,o?.subscribers.nodes.map(e=>e.subscriberId))}),(0,H.jsx)(D,{label:m(`alert.topics`),hint:m(`settings.separatedByCommas`),at:`notifyTopics`,value:r.notifyTopics,onChange:a(`notifyTopics`),choices:M(r.notifyTopics,o?.topics.nodes.map(e=>e.key))}),f&&(0,H.jsx)(O,{label:m(r.condition===`SUBSCRIBER_VOLUME`?`alert.pauseSubscribers`:`alert.pause`),at:`pause`,value:r.pause,onChange:a(`pause`)}),(0,H.jsx)(O,{label:m(`common.enabled`),value:r.enabled,onChange:a(`enabled`)})]})})}function q(e,t){if(t==null)return`–`;let n=h(t,{maximumFractionDigits:1});return m(`alert.amount.${e}`,{n})}function J(){let n=u(),r=d(N,n.variables),[i,a]=(0,V.useState)(!1),[s,f]=(0,V.useState)(),[h,y]=(0,V.useState)(!1),C=p(R,r.reload),T=p(L,r.reload),E=p(z,()=>y(!0)),D=()=>{a(!1),f(void 0)},O=e=>!!e.silencedUntil&&new Date(e.silencedUntil)>new Date,k=()=>new Date(Date.now()+36e5).toISOString();return(0,H.jsxs)(w,{title:m(`nav.alerts`),actions:(0,H.jsx)(o,{needs:`ADMIN`,children:(0,H.jsx)(l,{icon:t,look:`primary`,onClick:()=>a(!0),children:m(`alert.new`)})}),children:[(0,H.jsxs)(S,{title:m(`alert.rules`),actions:(0,H.jsx)(l,{onClick:r.reload,children:m(`common.refresh`)}),children:[(0,H.jsx)(g,{error:C.error??T.error??E.error}),h&&(0,H.jsx)(b,{tone:`good`,role:`status`,children:m(`alert.tested`)}),(0,H.jsx)(_,{of:r,children:({alertRules:t})=>(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(x,{label:m(`alert.rules`),rows:t.nodes,id:e=>e.id,empty:m(`alert.none`),columns:[{name:m(`common.name`),cell:e=>e.name},{name:m(`alert.condition`),cell:e=>(0,H.jsx)(Y,{of:e})},{name:m(`common.state`),cell:e=>(0,H.jsx)(Z,{of:e,silent:O(e)})},{name:m(`alert.value`),cell:e=>q(e.condition,e.value)},{name:m(`alert.threshold`),cell:e=>q(e.condition,e.threshold)},{name:``,cell:t=>(0,H.jsxs)(`span`,{className:`row`,children:[(0,H.jsx)(o,{children:(0,H.jsx)(l,{onClick:()=>C.run({input:{id:t.id,until:O(t)?null:k()}}),disabled:C.busy,children:O(t)?m(`alert.unsilence`):m(`alert.silence`)})}),(0,H.jsxs)(o,{needs:`ADMIN`,children:[t.notifyWorkflow&&(0,H.jsx)(l,{onClick:()=>E.run({id:t.id}),children:m(`alert.test`)}),(0,H.jsx)(l,{icon:e,onClick:()=>f(t),children:m(`common.change`)}),(0,H.jsx)(c,{label:m(`common.delete`),needs:`ADMIN`,question:m(`alert.deleteQuestion`,{name:t.name}),onConfirm:()=>T.run({id:t.id})})]})]})}]}),(0,H.jsx)(v,{label:m(`alert.rules`),pager:n,info:t.pageInfo})]})})]}),(0,H.jsx)(Q,{}),(i||s)&&(0,H.jsx)(K,{of:s,onClose:D,onDone:()=>{D(),r.reload()}})]})}function Y({of:e}){let t=e.workflow??e.integration??(e.channel&&T(e.channel));return(0,H.jsxs)(`span`,{children:[m(`alert.of.${e.condition}`),` `,t&&(0,H.jsx)(`code`,{children:t}),` `,e.pause&&(0,H.jsx)(C,{children:m(`alert.pauses`)})]})}var X={OK:`good`,PENDING:`wait`,FIRING:`bad`};function Z({of:e,silent:t}){return e.enabled?(0,H.jsxs)(`span`,{children:[(0,H.jsx)(C,{tone:X[e.state],children:m(`alert.is.${e.state}`)}),` `,t&&(0,H.jsxs)(H.Fragment,{children:[m(`alert.silenced`),` `,(0,H.jsx)(y,{at:e.silencedUntil}),` `]}),e.problem]}):(0,H.jsx)(C,{children:m(`alert.disabled`)})}function Q(){let e=u(`i-`),t=d(P,e.variables);return(0,H.jsx)(S,{title:m(`alert.incidents`),actions:(0,H.jsx)(l,{onClick:t.reload,children:m(`common.refresh`)}),children:(0,H.jsx)(_,{of:t,children:({alertIncidents:t})=>(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(x,{label:m(`alert.incidents`),rows:t.nodes,id:e=>e.id,empty:m(`alert.noIncidents`),columns:[{name:m(`alert.rule`),cell:e=>e.rule?.name},{name:m(`alert.opened`),cell:e=>(0,H.jsx)(y,{at:e.openedAt})},{name:m(`alert.closed`),cell:e=>e.closedAt?(0,H.jsx)(y,{at:e.closedAt}):(0,H.jsx)(C,{tone:`bad`,children:m(`alert.open`)})},{name:m(`alert.peak`),cell:e=>e.rule&&q(e.rule.condition,e.peak)},{name:m(`alert.notices`),cell:e=>e.notices},{name:m(`alert.effect`),cell:e=>(0,H.jsx)($,{of:e})}]}),(0,H.jsx)(v,{label:m(`alert.incidents`),pager:e,info:t.pageInfo})]})})})}function $({of:e}){return(0,H.jsxs)(`span`,{className:`row`,children:[e.subscriber&&(0,H.jsx)(a,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId}),e.pause&&(0,H.jsx)(a,{href:`/repairs`,children:(0,H.jsx)(C,{tone:e.pause.resumedAt?void 0:`wait`,children:m(e.pause.resumedAt?`alert.resumed`:`alert.paused`)})})]})}export{J as Alerts};