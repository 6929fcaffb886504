import{t as e}from"./pencil-db9DW_K6.js";import{t}from"./plus-TwwWyVs2.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{N as a,S as o,a as s,i as c,t as l,v as u}from"./button-Dgb5THJ5.js";import{r as d}from"./address-NG03ewlH.js";import{d as f,m as p,s as m,t as h}from"./document-dlEMawag.js";import{c as g,o as _}from"./text-Dt6ehE6o.js";import{a as v,c as y,d as b,g as x,l as S,m as C,n as w,t as T,u as E}from"./ui-CoQ-QTUx.js";import{a as D,r as O}from"./edited-D4mEspNB.js";import{i as k,l as A,n as j,o as M,s as N}from"./form-DrW5btIS.js";import{t as P}from"./identifier-field-C1ZnZjLe.js";import{c as F}from"./lists-CpmF0fzc.js";var I=new h(`
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
}`),L=new h(`
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
    `),R=new h(`
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),z=new h(`
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
  updateAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),B=new h(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    deletedId
  }
}
    `),V=new h(`
    mutation SilenceAlertRule($input: SilenceAlertRuleInput!) {
  silenceAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),H=new h(`
    mutation TestAlertRule($id: ID!) {
  testAlertRule(id: $id) {
    event {
      id
    }
  }
}
    `),U=new h(`
    query AlertRule($id: ID!) {
  alertRule(id: $id) {
    ...AlertParts
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
}`),W=n(r(),1),G=i(),K=[`FAILURE_RATE`,`UNHEALTHY_INTEGRATION`,`LAG`,`NO_MESSAGES`,`VOLUME`,`SUBSCRIBER_VOLUME`],q=[`IN_APP`,`EMAIL`,`SMS`,`CHAT`,`PUSH`],J={FAILURE_RATE:10,UNHEALTHY_INTEGRATION:1,LAG:300,NO_MESSAGES:60,VOLUME:1e4,SUBSCRIBER_VOLUME:100},Y=e=>({name:e?.name??``,condition:e?.condition??`FAILURE_RATE`,workflow:e?.workflow??``,integration:e?.integration??``,channel:e?.channel??``,threshold:e?.threshold??J.FAILURE_RATE,recoverBelow:e?.recoverBelow??void 0,minimum:e?.minimum||20,windowMinutes:e?.windowMinutes||15,openAfterMinutes:e?.openAfterMinutes??0,recoverAfterMinutes:e?.recoverAfterMinutes??5,remindAfterMinutes:e?.remindAfterMinutes??void 0,notifyWorkflow:e?.notifyWorkflow??``,notifySubscribers:e?.notifySubscribers.join(`, `)??``,notifyTopics:e?.notifyTopics.join(`, `)??``,pause:e?.pause??!1,enabled:e?.enabled??!0}),X=e=>[`FAILURE_RATE`,`VOLUME`,`SUBSCRIBER_VOLUME`].includes(e),Z=e=>({name:e.name,threshold:e.threshold,recoverBelow:e.recoverBelow??null,minimum:e.condition===`FAILURE_RATE`?e.minimum:void 0,windowMinutes:X(e.condition)?e.windowMinutes:void 0,openAfterMinutes:e.openAfterMinutes,recoverAfterMinutes:e.recoverAfterMinutes,remindAfterMinutes:e.remindAfterMinutes??null,notifyWorkflow:e.notifyWorkflow||null,notifySubscribers:F(e.notifySubscribers),notifyTopics:F(e.notifyTopics),pause:X(e.condition)&&e.pause,enabled:e.enabled});function Q({of:e,onClose:t,onDone:n}){let r=D({of:e,valuesOf:Y,read:async()=>e&&(await m(U,{id:e.id})).alertRule,send:async(t,n)=>e&&m(z,{input:{id:e.id,...O(Z(n),Object.keys(t))}}),onSaved:n}),i=r.values,a=e=>t=>r.set({[e]:t}),c=f(R,n),l=X(i.condition),u=i.condition===`FAILURE_RATE`,d=i.condition!==`LAG`,p=d&&i.condition!==`UNHEALTHY_INTEGRATION`;return(0,G.jsx)(s,{title:e?e.name:g(`alert.new`),onClose:t,children:(0,G.jsxs)(k,{submit:g(`common.save`),action:e?r:c,onSubmit:()=>e?r.save():c.run({input:{...Z(i),condition:i.condition,workflow:p&&i.workflow||void 0,integration:d&&i.integration||void 0,channel:d&&i.channel||void 0}}),children:[(0,G.jsx)(A,{label:g(`common.name`),at:`name`,value:i.name,onChange:a(`name`),required:!0}),!e&&(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(N,{label:g(`alert.condition`),at:`condition`,value:i.condition,onChange:e=>{let t=e;r.set({condition:t,threshold:J[t],recoverBelow:void 0})},options:K.map(e=>({value:e,label:g(`alert.of.${e}`)}))}),p&&(0,G.jsx)(P,{of:`workflow`,label:g(`alert.workflow`),hint:g(`alert.narrowHint`),at:`workflow`,value:i.workflow,onChange:a(`workflow`)}),d&&(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(P,{of:`integration`,label:g(`alert.integration`),at:`integration`,value:i.integration,onChange:a(`integration`)}),(0,G.jsx)(N,{label:g(`alert.channel`),at:`channel`,value:i.channel,onChange:e=>a(`channel`)(e),options:[{value:``,label:g(`alert.any`)},...q.map(e=>({value:e,label:o(e)}))]})]})]}),(0,G.jsx)(M,{label:g(`alert.threshold`),hint:g(`alert.unit.${i.condition}`),at:`threshold`,value:i.threshold,onChange:a(`threshold`)}),(0,G.jsx)(M,{label:g(`alert.recoverBelow`),hint:g(`alert.recoverBelowHint`),at:`recoverBelow`,value:i.recoverBelow,onChange:a(`recoverBelow`)}),l&&(0,G.jsx)(M,{label:g(`alert.window`),at:`windowMinutes`,value:i.windowMinutes,onChange:a(`windowMinutes`)}),u&&(0,G.jsx)(M,{label:g(`alert.minimum`),hint:g(`alert.minimumHint`),at:`minimum`,value:i.minimum,onChange:a(`minimum`)}),(0,G.jsx)(M,{label:g(`alert.openAfter`),at:`openAfterMinutes`,value:i.openAfterMinutes,onChange:a(`openAfterMinutes`)}),(0,G.jsx)(M,{label:g(`alert.recoverAfter`),at:`recoverAfterMinutes`,value:i.recoverAfterMinutes,onChange:a(`recoverAfterMinutes`)}),(0,G.jsx)(M,{label:g(`alert.remindAfter`),hint:g(`alert.remindHint`),at:`remindAfterMinutes`,value:i.remindAfterMinutes,onChange:a(`remindAfterMinutes`)}),(0,G.jsx)(P,{of:`workflow`,label:g(`alert.notifyWorkflow`),hint:g(`alert.notifyHint`),at:`notifyWorkflow`,value:i.notifyWorkflow,onChange:a(`notifyWorkflow`)}),(0,G.jsx)(P,{of:`subscriber`,several:!0,label:g(`alert.subscribers`),hint:g(`settings.separatedByCommas`),at:`notifySubscribers`,value:i.notifySubscribers,onChange:a(`notifySubscribers`)}),(0,G.jsx)(P,{of:`topic`,several:!0,label:g(`alert.topics`),hint:g(`settings.separatedByCommas`),at:`notifyTopics`,value:i.notifyTopics,onChange:a(`notifyTopics`)}),l&&(0,G.jsx)(j,{label:g(i.condition===`SUBSCRIBER_VOLUME`?`alert.pauseSubscribers`:`alert.pause`),at:`pause`,value:i.pause,onChange:a(`pause`)}),(0,G.jsx)(j,{label:g(`common.enabled`),value:i.enabled,onChange:a(`enabled`)})]})})}function $(e,t){if(t==null)return`–`;let n=_(t,{maximumFractionDigits:1});return g(`alert.amount.${e}`,{n})}function ee(){let n=d(),r=p(I,n.variables),[i,a]=(0,W.useState)(!1),[o,s]=(0,W.useState)(),[m,h]=(0,W.useState)(!1),_=f(V,r.reload),x=f(B,r.reload),T=f(H,()=>h(!0)),D=()=>{a(!1),s(void 0)},O=e=>!!e.silencedUntil&&new Date(e.silencedUntil)>new Date,k=()=>new Date(Date.now()+36e5).toISOString();return(0,G.jsxs)(E,{title:g(`nav.alerts`),actions:(0,G.jsx)(u,{needs:`ADMIN`,children:(0,G.jsx)(l,{icon:t,look:`primary`,onClick:()=>a(!0),children:g(`alert.new`)})}),children:[(0,G.jsxs)(w,{title:g(`alert.rules`),actions:(0,G.jsx)(l,{onClick:r.reload,children:g(`common.refresh`)}),children:[(0,G.jsx)(v,{error:_.error??x.error??T.error}),m&&(0,G.jsx)(S,{tone:`good`,role:`status`,children:g(`alert.tested`)}),(0,G.jsx)(y,{of:r,children:({alertRules:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(C,{label:g(`alert.rules`),rows:t.nodes,id:e=>e.id,empty:g(`alert.none`),columns:[{name:g(`common.name`),cell:e=>e.name},{name:g(`alert.condition`),cell:e=>(0,G.jsx)(te,{of:e})},{name:g(`common.state`),cell:e=>(0,G.jsx)(re,{of:e,silent:O(e)})},{name:g(`alert.value`),cell:e=>$(e.condition,e.value)},{name:g(`alert.threshold`),cell:e=>$(e.condition,e.threshold)},{name:``,cell:t=>(0,G.jsxs)(`span`,{className:`row`,children:[(0,G.jsx)(u,{children:(0,G.jsx)(l,{onClick:()=>_.run({input:{id:t.id,until:O(t)?null:k()}}),disabled:_.busy,children:O(t)?g(`alert.unsilence`):g(`alert.silence`)})}),(0,G.jsxs)(u,{needs:`ADMIN`,children:[t.notifyWorkflow&&(0,G.jsx)(l,{onClick:()=>T.run({id:t.id}),children:g(`alert.test`)}),(0,G.jsx)(l,{icon:e,onClick:()=>s(t),children:g(`common.change`)}),(0,G.jsx)(c,{label:g(`common.delete`),needs:`ADMIN`,question:g(`alert.deleteQuestion`,{name:t.name}),onConfirm:()=>x.run({id:t.id})})]})]})}]}),(0,G.jsx)(b,{label:g(`alert.rules`),pager:n,info:t.pageInfo})]})})]}),(0,G.jsx)(ie,{}),(i||o)&&(0,G.jsx)(Q,{of:o,onClose:D,onDone:()=>{D(),r.reload()}})]})}function te({of:e}){let t=e.workflow??e.integration??(e.channel&&o(e.channel));return(0,G.jsxs)(`span`,{children:[g(`alert.of.${e.condition}`),` `,t&&(0,G.jsx)(`code`,{children:t}),` `,e.pause&&(0,G.jsx)(T,{children:g(`alert.pauses`)})]})}var ne={OK:`good`,PENDING:`wait`,FIRING:`bad`};function re({of:e,silent:t}){return e.enabled?(0,G.jsxs)(`span`,{children:[(0,G.jsx)(T,{tone:ne[e.state],children:g(`alert.is.${e.state}`)}),` `,t&&(0,G.jsxs)(G.Fragment,{children:[g(`alert.silenced`),` `,(0,G.jsx)(x,{at:e.silencedUntil}),` `]}),e.problem]}):(0,G.jsx)(T,{children:g(`alert.disabled`)})}function ie(){let e=d(`i-`),t=p(L,e.variables);return(0,G.jsx)(w,{title:g(`alert.incidents`),actions:(0,G.jsx)(l,{onClick:t.reload,children:g(`common.refresh`)}),children:(0,G.jsx)(y,{of:t,children:({alertIncidents:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(C,{label:g(`alert.incidents`),rows:t.nodes,id:e=>e.id,empty:g(`alert.noIncidents`),columns:[{name:g(`alert.rule`),cell:e=>e.rule?.name},{name:g(`alert.opened`),cell:e=>(0,G.jsx)(x,{at:e.openedAt})},{name:g(`alert.closed`),cell:e=>e.closedAt?(0,G.jsx)(x,{at:e.closedAt}):(0,G.jsx)(T,{tone:`bad`,children:g(`alert.open`)})},{name:g(`alert.peak`),cell:e=>e.rule&&$(e.rule.condition,e.peak)},{name:g(`alert.notices`),cell:e=>e.notices},{name:g(`alert.effect`),cell:e=>(0,G.jsx)(ae,{of:e})}]}),(0,G.jsx)(b,{label:g(`alert.incidents`),pager:e,info:t.pageInfo})]})})})}function ae({of:e}){return(0,G.jsxs)(`span`,{className:`row`,children:[e.subscriber&&(0,G.jsx)(a,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId}),e.pause&&(0,G.jsx)(a,{href:`/repairs`,children:(0,G.jsx)(T,{tone:e.pause.resumedAt?void 0:`wait`,children:g(e.pause.resumedAt?`alert.resumed`:`alert.paused`)})})]})}export{ee as Alerts};