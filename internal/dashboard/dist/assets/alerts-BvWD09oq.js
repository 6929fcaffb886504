import{t as e}from"./pencil-DMT7pHam.js";import{t}from"./plus-DnFrg5jt.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{N as a,S as o,a as s,i as c,t as l,v as u}from"./button-BN0QXP3S.js";import{r as d}from"./address-BHq2i49I.js";import{f,m as p,t as m}from"./document-__yBWdMy.js";import{c as h,o as g}from"./text-DjmMxfOS.js";import{a as _,c as v,d as y,g as b,l as x,m as S,n as C,t as w,u as T}from"./ui-D2k4UMZz.js";import{i as E,l as D,n as O,o as k,s as A}from"./form-F0xFNEb5.js";import{t as j}from"./identifier-field-DFvYet_C.js";import{c as M}from"./lists-CpmF0fzc.js";var N=new m(`
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
}`),P=new m(`
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
    `),F=new m(`
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),I=new m(`
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
  updateAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),L=new m(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    deletedId
  }
}
    `),R=new m(`
    mutation SilenceAlertRule($input: SilenceAlertRuleInput!) {
  silenceAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),z=new m(`
    mutation TestAlertRule($id: ID!) {
  testAlertRule(id: $id) {
    event {
      id
    }
  }
}
    `),B=n(r(),1),V=i(),H=[`FAILURE_RATE`,`UNHEALTHY_INTEGRATION`,`LAG`,`NO_MESSAGES`,`VOLUME`,`SUBSCRIBER_VOLUME`],U=[`IN_APP`,`EMAIL`,`SMS`,`CHAT`,`PUSH`],W={FAILURE_RATE:10,UNHEALTHY_INTEGRATION:1,LAG:300,NO_MESSAGES:60,VOLUME:1e4,SUBSCRIBER_VOLUME:100};function G({of:e,onClose:t,onDone:n}){let[r,i]=(0,B.useState)({name:e?.name??``,condition:e?.condition??`FAILURE_RATE`,workflow:e?.workflow??``,integration:e?.integration??``,channel:e?.channel??``,threshold:e?.threshold??W.FAILURE_RATE,recoverBelow:e?.recoverBelow??void 0,minimum:e?.minimum||20,windowMinutes:e?.windowMinutes||15,openAfterMinutes:e?.openAfterMinutes??0,recoverAfterMinutes:e?.recoverAfterMinutes??5,remindAfterMinutes:e?.remindAfterMinutes??void 0,notifyWorkflow:e?.notifyWorkflow??``,notifySubscribers:e?.notifySubscribers.join(`, `)??``,notifyTopics:e?.notifyTopics.join(`, `)??``,pause:e?.pause??!1,enabled:e?.enabled??!0}),a=e=>t=>i(n=>({...n,[e]:t})),c=f(F,n),l=f(I,n),u=[`FAILURE_RATE`,`VOLUME`,`SUBSCRIBER_VOLUME`].includes(r.condition),d=r.condition===`FAILURE_RATE`,p={name:r.name,threshold:r.threshold,recoverBelow:r.recoverBelow??null,minimum:d?r.minimum:void 0,windowMinutes:u?r.windowMinutes:void 0,openAfterMinutes:r.openAfterMinutes,recoverAfterMinutes:r.recoverAfterMinutes,remindAfterMinutes:r.remindAfterMinutes??null,notifyWorkflow:r.notifyWorkflow||null,notifySubscribers:M(r.notifySubscribers),notifyTopics:M(r.notifyTopics),pause:u&&r.pause,enabled:r.enabled},m=r.condition!==`LAG`,g=m&&r.condition!==`UNHEALTHY_INTEGRATION`;return(0,V.jsx)(s,{title:e?e.name:h(`alert.new`),onClose:t,children:(0,V.jsxs)(E,{submit:h(`common.save`),action:e?l:c,onSubmit:()=>e?l.run({input:{id:e.id,...p}}):c.run({input:{...p,condition:r.condition,workflow:g&&r.workflow||void 0,integration:m&&r.integration||void 0,channel:m&&r.channel||void 0}}),children:[(0,V.jsx)(D,{label:h(`common.name`),at:`name`,value:r.name,onChange:a(`name`),required:!0}),!e&&(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(A,{label:h(`alert.condition`),at:`condition`,value:r.condition,onChange:e=>{let t=e;i(e=>({...e,condition:t,threshold:W[t],recoverBelow:void 0}))},options:H.map(e=>({value:e,label:h(`alert.of.${e}`)}))}),g&&(0,V.jsx)(j,{of:`workflow`,label:h(`alert.workflow`),hint:h(`alert.narrowHint`),at:`workflow`,value:r.workflow,onChange:a(`workflow`)}),m&&(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(j,{of:`integration`,label:h(`alert.integration`),at:`integration`,value:r.integration,onChange:a(`integration`)}),(0,V.jsx)(A,{label:h(`alert.channel`),at:`channel`,value:r.channel,onChange:e=>a(`channel`)(e),options:[{value:``,label:h(`alert.any`)},...U.map(e=>({value:e,label:o(e)}))]})]})]}),(0,V.jsx)(k,{label:h(`alert.threshold`),hint:h(`alert.unit.${r.condition}`),at:`threshold`,value:r.threshold,onChange:a(`threshold`)}),(0,V.jsx)(k,{label:h(`alert.recoverBelow`),hint:h(`alert.recoverBelowHint`),at:`recoverBelow`,value:r.recoverBelow,onChange:a(`recoverBelow`)}),u&&(0,V.jsx)(k,{label:h(`alert.window`),at:`windowMinutes`,value:r.windowMinutes,onChange:a(`windowMinutes`)}),d&&(0,V.jsx)(k,{label:h(`alert.minimum`),hint:h(`alert.minimumHint`),at:`minimum`,value:r.minimum,onChange:a(`minimum`)}),(0,V.jsx)(k,{label:h(`alert.openAfter`),at:`openAfterMinutes`,value:r.openAfterMinutes,onChange:a(`openAfterMinutes`)}),(0,V.jsx)(k,{label:h(`alert.recoverAfter`),at:`recoverAfterMinutes`,value:r.recoverAfterMinutes,onChange:a(`recoverAfterMinutes`)}),(0,V.jsx)(k,{label:h(`alert.remindAfter`),hint:h(`alert.remindHint`),at:`remindAfterMinutes`,value:r.remindAfterMinutes,onChange:a(`remindAfterMinutes`)}),(0,V.jsx)(j,{of:`workflow`,label:h(`alert.notifyWorkflow`),hint:h(`alert.notifyHint`),at:`notifyWorkflow`,value:r.notifyWorkflow,onChange:a(`notifyWorkflow`)}),(0,V.jsx)(j,{of:`subscriber`,several:!0,label:h(`alert.subscribers`),hint:h(`settings.separatedByCommas`),at:`notifySubscribers`,value:r.notifySubscribers,onChange:a(`notifySubscribers`)}),(0,V.jsx)(j,{of:`topic`,several:!0,label:h(`alert.topics`),hint:h(`settings.separatedByCommas`),at:`notifyTopics`,value:r.notifyTopics,onChange:a(`notifyTopics`)}),u&&(0,V.jsx)(O,{label:h(r.condition===`SUBSCRIBER_VOLUME`?`alert.pauseSubscribers`:`alert.pause`),at:`pause`,value:r.pause,onChange:a(`pause`)}),(0,V.jsx)(O,{label:h(`common.enabled`),value:r.enabled,onChange:a(`enabled`)})]})})}function K(e,t){if(t==null)return`–`;let n=g(t,{maximumFractionDigits:1});return h(`alert.amount.${e}`,{n})}function q(){let n=d(),r=p(N,n.variables),[i,a]=(0,B.useState)(!1),[o,s]=(0,B.useState)(),[m,g]=(0,B.useState)(!1),b=f(R,r.reload),w=f(L,r.reload),E=f(z,()=>g(!0)),D=()=>{a(!1),s(void 0)},O=e=>!!e.silencedUntil&&new Date(e.silencedUntil)>new Date,k=()=>new Date(Date.now()+36e5).toISOString();return(0,V.jsxs)(T,{title:h(`nav.alerts`),actions:(0,V.jsx)(u,{needs:`ADMIN`,children:(0,V.jsx)(l,{icon:t,look:`primary`,onClick:()=>a(!0),children:h(`alert.new`)})}),children:[(0,V.jsxs)(C,{title:h(`alert.rules`),actions:(0,V.jsx)(l,{onClick:r.reload,children:h(`common.refresh`)}),children:[(0,V.jsx)(_,{error:b.error??w.error??E.error}),m&&(0,V.jsx)(x,{tone:`good`,role:`status`,children:h(`alert.tested`)}),(0,V.jsx)(v,{of:r,children:({alertRules:t})=>(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(S,{label:h(`alert.rules`),rows:t.nodes,id:e=>e.id,empty:h(`alert.none`),columns:[{name:h(`common.name`),cell:e=>e.name},{name:h(`alert.condition`),cell:e=>(0,V.jsx)(J,{of:e})},{name:h(`common.state`),cell:e=>(0,V.jsx)(X,{of:e,silent:O(e)})},{name:h(`alert.value`),cell:e=>K(e.condition,e.value)},{name:h(`alert.threshold`),cell:e=>K(e.condition,e.threshold)},{name:``,cell:t=>(0,V.jsxs)(`span`,{className:`row`,children:[(0,V.jsx)(u,{children:(0,V.jsx)(l,{onClick:()=>b.run({input:{id:t.id,until:O(t)?null:k()}}),disabled:b.busy,children:O(t)?h(`alert.unsilence`):h(`alert.silence`)})}),(0,V.jsxs)(u,{needs:`ADMIN`,children:[t.notifyWorkflow&&(0,V.jsx)(l,{onClick:()=>E.run({id:t.id}),children:h(`alert.test`)}),(0,V.jsx)(l,{icon:e,onClick:()=>s(t),children:h(`common.change`)}),(0,V.jsx)(c,{label:h(`common.delete`),needs:`ADMIN`,question:h(`alert.deleteQuestion`,{name:t.name}),onConfirm:()=>w.run({id:t.id})})]})]})}]}),(0,V.jsx)(y,{label:h(`alert.rules`),pager:n,info:t.pageInfo})]})})]}),(0,V.jsx)(Z,{}),(i||o)&&(0,V.jsx)(G,{of:o,onClose:D,onDone:()=>{D(),r.reload()}})]})}function J({of:e}){let t=e.workflow??e.integration??(e.channel&&o(e.channel));return(0,V.jsxs)(`span`,{children:[h(`alert.of.${e.condition}`),` `,t&&(0,V.jsx)(`code`,{children:t}),` `,e.pause&&(0,V.jsx)(w,{children:h(`alert.pauses`)})]})}var Y={OK:`good`,PENDING:`wait`,FIRING:`bad`};function X({of:e,silent:t}){return e.enabled?(0,V.jsxs)(`span`,{children:[(0,V.jsx)(w,{tone:Y[e.state],children:h(`alert.is.${e.state}`)}),` `,t&&(0,V.jsxs)(V.Fragment,{children:[h(`alert.silenced`),` `,(0,V.jsx)(b,{at:e.silencedUntil}),` `]}),e.problem]}):(0,V.jsx)(w,{children:h(`alert.disabled`)})}function Z(){let e=d(`i-`),t=p(P,e.variables);return(0,V.jsx)(C,{title:h(`alert.incidents`),actions:(0,V.jsx)(l,{onClick:t.reload,children:h(`common.refresh`)}),children:(0,V.jsx)(v,{of:t,children:({alertIncidents:t})=>(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(S,{label:h(`alert.incidents`),rows:t.nodes,id:e=>e.id,empty:h(`alert.noIncidents`),columns:[{name:h(`alert.rule`),cell:e=>e.rule?.name},{name:h(`alert.opened`),cell:e=>(0,V.jsx)(b,{at:e.openedAt})},{name:h(`alert.closed`),cell:e=>e.closedAt?(0,V.jsx)(b,{at:e.closedAt}):(0,V.jsx)(w,{tone:`bad`,children:h(`alert.open`)})},{name:h(`alert.peak`),cell:e=>e.rule&&K(e.rule.condition,e.peak)},{name:h(`alert.notices`),cell:e=>e.notices},{name:h(`alert.effect`),cell:e=>(0,V.jsx)(Q,{of:e})}]}),(0,V.jsx)(y,{label:h(`alert.incidents`),pager:e,info:t.pageInfo})]})})})}function Q({of:e}){return(0,V.jsxs)(`span`,{className:`row`,children:[e.subscriber&&(0,V.jsx)(a,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId}),e.pause&&(0,V.jsx)(a,{href:`/repairs`,children:(0,V.jsx)(w,{tone:e.pause.resumedAt?void 0:`wait`,children:h(e.pause.resumedAt?`alert.resumed`:`alert.paused`)})})]})}export{q as Alerts};