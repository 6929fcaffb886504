import{t as e}from"./pencil-oGPZj3JN.js";import{t}from"./plus-DMsR_D0x.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{A as a,_ as o,a as s,i as c,t as l}from"./button-DrZok8y8.js";import{r as u}from"./address-AAVe8LmF.js";import{f as d,t as f,u as p}from"./document-DOpnm8OA.js";import{c as m,o as h}from"./text-AeBTDtkA.js";import{a as g,c as _,d as v,g as y,l as b,m as x,n as S,t as C,u as w}from"./ui-Bua6Uujo.js";import{t as T}from"./words-BFceARnm.js";import{i as E,l as D,n as O,o as k,s as A}from"./form-LUm_ZQFx.js";import{t as j}from"./identifier-field-CVgPA83g.js";import{c as M}from"./lists-CpmF0fzc.js";var N=new f(`
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
    `),B=n(r(),1),V=i(),H=[`FAILURE_RATE`,`UNHEALTHY_INTEGRATION`,`LAG`,`NO_MESSAGES`,`VOLUME`,`SUBSCRIBER_VOLUME`],U=[`IN_APP`,`EMAIL`,`SMS`,`CHAT`,`PUSH`],W={FAILURE_RATE:10,UNHEALTHY_INTEGRATION:1,LAG:300,NO_MESSAGES:60,VOLUME:1e4,SUBSCRIBER_VOLUME:100};function G({of:e,onClose:t,onDone:n}){let[r,i]=(0,B.useState)({name:e?.name??``,condition:e?.condition??`FAILURE_RATE`,workflow:e?.workflow??``,integration:e?.integration??``,channel:e?.channel??``,threshold:e?.threshold??W.FAILURE_RATE,recoverBelow:e?.recoverBelow??void 0,minimum:e?.minimum||20,windowMinutes:e?.windowMinutes||15,openAfterMinutes:e?.openAfterMinutes??0,recoverAfterMinutes:e?.recoverAfterMinutes??5,remindAfterMinutes:e?.remindAfterMinutes??void 0,notifyWorkflow:e?.notifyWorkflow??``,notifySubscribers:e?.notifySubscribers.join(`, `)??``,notifyTopics:e?.notifyTopics.join(`, `)??``,pause:e?.pause??!1,enabled:e?.enabled??!0}),a=e=>t=>i(n=>({...n,[e]:t})),o=p(F,n),c=p(I,n),l=[`FAILURE_RATE`,`VOLUME`,`SUBSCRIBER_VOLUME`].includes(r.condition),u=r.condition===`FAILURE_RATE`,d={name:r.name,threshold:r.threshold,recoverBelow:r.recoverBelow??null,minimum:u?r.minimum:void 0,windowMinutes:l?r.windowMinutes:void 0,openAfterMinutes:r.openAfterMinutes,recoverAfterMinutes:r.recoverAfterMinutes,remindAfterMinutes:r.remindAfterMinutes??null,notifyWorkflow:r.notifyWorkflow||null,notifySubscribers:M(r.notifySubscribers),notifyTopics:M(r.notifyTopics),pause:l&&r.pause,enabled:r.enabled},f=r.condition!==`LAG`,h=f&&r.condition!==`UNHEALTHY_INTEGRATION`;return(0,V.jsx)(s,{title:e?e.name:m(`alert.new`),onClose:t,children:(0,V.jsxs)(E,{submit:m(`common.save`),action:e?c:o,onSubmit:()=>e?c.run({input:{id:e.id,...d}}):o.run({input:{...d,condition:r.condition,workflow:h&&r.workflow||void 0,integration:f&&r.integration||void 0,channel:f&&r.channel||void 0}}),children:[(0,V.jsx)(D,{label:m(`common.name`),at:`name`,value:r.name,onChange:a(`name`),required:!0}),!e&&(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(A,{label:m(`alert.condition`),at:`condition`,value:r.condition,onChange:e=>{let t=e;i(e=>({...e,condition:t,threshold:W[t],recoverBelow:void 0}))},options:H.map(e=>({value:e,label:m(`alert.of.${e}`)}))}),h&&(0,V.jsx)(j,{of:`workflow`,label:m(`alert.workflow`),hint:m(`alert.narrowHint`),at:`workflow`,value:r.workflow,onChange:a(`workflow`)}),f&&(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(j,{of:`integration`,label:m(`alert.integration`),at:`integration`,value:r.integration,onChange:a(`integration`)}),(0,V.jsx)(A,{label:m(`alert.channel`),at:`channel`,value:r.channel,onChange:e=>a(`channel`)(e),options:[{value:``,label:m(`alert.any`)},...U.map(e=>({value:e,label:T(e)}))]})]})]}),(0,V.jsx)(k,{label:m(`alert.threshold`),hint:m(`alert.unit.${r.condition}`),at:`threshold`,value:r.threshold,onChange:a(`threshold`)}),(0,V.jsx)(k,{label:m(`alert.recoverBelow`),hint:m(`alert.recoverBelowHint`),at:`recoverBelow`,value:r.recoverBelow,onChange:a(`recoverBelow`)}),l&&(0,V.jsx)(k,{label:m(`alert.window`),at:`windowMinutes`,value:r.windowMinutes,onChange:a(`windowMinutes`)}),u&&(0,V.jsx)(k,{label:m(`alert.minimum`),hint:m(`alert.minimumHint`),at:`minimum`,value:r.minimum,onChange:a(`minimum`)}),(0,V.jsx)(k,{label:m(`alert.openAfter`),at:`openAfterMinutes`,value:r.openAfterMinutes,onChange:a(`openAfterMinutes`)}),(0,V.jsx)(k,{label:m(`alert.recoverAfter`),at:`recoverAfterMinutes`,value:r.recoverAfterMinutes,onChange:a(`recoverAfterMinutes`)}),(0,V.jsx)(k,{label:m(`alert.remindAfter`),hint:m(`alert.remindHint`),at:`remindAfterMinutes`,value:r.remindAfterMinutes,onChange:a(`remindAfterMinutes`)}),(0,V.jsx)(j,{of:`workflow`,label:m(`alert.notifyWorkflow`),hint:m(`alert.notifyHint`),at:`notifyWorkflow`,value:r.notifyWorkflow,onChange:a(`notifyWorkflow`)}),(0,V.jsx)(j,{of:`subscriber`,several:!0,label:m(`alert.subscribers`),hint:m(`settings.separatedByCommas`),at:`notifySubscribers`,value:r.notifySubscribers,onChange:a(`notifySubscribers`)}),(0,V.jsx)(j,{of:`topic`,several:!0,label:m(`alert.topics`),hint:m(`settings.separatedByCommas`),at:`notifyTopics`,value:r.notifyTopics,onChange:a(`notifyTopics`)}),l&&(0,V.jsx)(O,{label:m(r.condition===`SUBSCRIBER_VOLUME`?`alert.pauseSubscribers`:`alert.pause`),at:`pause`,value:r.pause,onChange:a(`pause`)}),(0,V.jsx)(O,{label:m(`common.enabled`),value:r.enabled,onChange:a(`enabled`)})]})})}function K(e,t){if(t==null)return`–`;let n=h(t,{maximumFractionDigits:1});return m(`alert.amount.${e}`,{n})}function q(){let n=u(),r=d(N,n.variables),[i,a]=(0,B.useState)(!1),[s,f]=(0,B.useState)(),[h,y]=(0,B.useState)(!1),C=p(R,r.reload),T=p(L,r.reload),E=p(z,()=>y(!0)),D=()=>{a(!1),f(void 0)},O=e=>!!e.silencedUntil&&new Date(e.silencedUntil)>new Date,k=()=>new Date(Date.now()+36e5).toISOString();return(0,V.jsxs)(w,{title:m(`nav.alerts`),actions:(0,V.jsx)(o,{needs:`ADMIN`,children:(0,V.jsx)(l,{icon:t,look:`primary`,onClick:()=>a(!0),children:m(`alert.new`)})}),children:[(0,V.jsxs)(S,{title:m(`alert.rules`),actions:(0,V.jsx)(l,{onClick:r.reload,children:m(`common.refresh`)}),children:[(0,V.jsx)(g,{error:C.error??T.error??E.error}),h&&(0,V.jsx)(b,{tone:`good`,role:`status`,children:m(`alert.tested`)}),(0,V.jsx)(_,{of:r,children:({alertRules:t})=>(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(x,{label:m(`alert.rules`),rows:t.nodes,id:e=>e.id,empty:m(`alert.none`),columns:[{name:m(`common.name`),cell:e=>e.name},{name:m(`alert.condition`),cell:e=>(0,V.jsx)(J,{of:e})},{name:m(`common.state`),cell:e=>(0,V.jsx)(X,{of:e,silent:O(e)})},{name:m(`alert.value`),cell:e=>K(e.condition,e.value)},{name:m(`alert.threshold`),cell:e=>K(e.condition,e.threshold)},{name:``,cell:t=>(0,V.jsxs)(`span`,{className:`row`,children:[(0,V.jsx)(o,{children:(0,V.jsx)(l,{onClick:()=>C.run({input:{id:t.id,until:O(t)?null:k()}}),disabled:C.busy,children:O(t)?m(`alert.unsilence`):m(`alert.silence`)})}),(0,V.jsxs)(o,{needs:`ADMIN`,children:[t.notifyWorkflow&&(0,V.jsx)(l,{onClick:()=>E.run({id:t.id}),children:m(`alert.test`)}),(0,V.jsx)(l,{icon:e,onClick:()=>f(t),children:m(`common.change`)}),(0,V.jsx)(c,{label:m(`common.delete`),needs:`ADMIN`,question:m(`alert.deleteQuestion`,{name:t.name}),onConfirm:()=>T.run({id:t.id})})]})]})}]}),(0,V.jsx)(v,{label:m(`alert.rules`),pager:n,info:t.pageInfo})]})})]}),(0,V.jsx)(Z,{}),(i||s)&&(0,V.jsx)(G,{of:s,onClose:D,onDone:()=>{D(),r.reload()}})]})}function J({of:e}){let t=e.workflow??e.integration??(e.channel&&T(e.channel));return(0,V.jsxs)(`span`,{children:[m(`alert.of.${e.condition}`),` `,t&&(0,V.jsx)(`code`,{children:t}),` `,e.pause&&(0,V.jsx)(C,{children:m(`alert.pauses`)})]})}var Y={OK:`good`,PENDING:`wait`,FIRING:`bad`};function X({of:e,silent:t}){return e.enabled?(0,V.jsxs)(`span`,{children:[(0,V.jsx)(C,{tone:Y[e.state],children:m(`alert.is.${e.state}`)}),` `,t&&(0,V.jsxs)(V.Fragment,{children:[m(`alert.silenced`),` `,(0,V.jsx)(y,{at:e.silencedUntil}),` `]}),e.problem]}):(0,V.jsx)(C,{children:m(`alert.disabled`)})}function Z(){let e=u(`i-`),t=d(P,e.variables);return(0,V.jsx)(S,{title:m(`alert.incidents`),actions:(0,V.jsx)(l,{onClick:t.reload,children:m(`common.refresh`)}),children:(0,V.jsx)(_,{of:t,children:({alertIncidents:t})=>(0,V.jsxs)(V.Fragment,{children:[(0,V.jsx)(x,{label:m(`alert.incidents`),rows:t.nodes,id:e=>e.id,empty:m(`alert.noIncidents`),columns:[{name:m(`alert.rule`),cell:e=>e.rule?.name},{name:m(`alert.opened`),cell:e=>(0,V.jsx)(y,{at:e.openedAt})},{name:m(`alert.closed`),cell:e=>e.closedAt?(0,V.jsx)(y,{at:e.closedAt}):(0,V.jsx)(C,{tone:`bad`,children:m(`alert.open`)})},{name:m(`alert.peak`),cell:e=>e.rule&&K(e.rule.condition,e.peak)},{name:m(`alert.notices`),cell:e=>e.notices},{name:m(`alert.effect`),cell:e=>(0,V.jsx)(Q,{of:e})}]}),(0,V.jsx)(v,{label:m(`alert.incidents`),pager:e,info:t.pageInfo})]})})})}function Q({of:e}){return(0,V.jsxs)(`span`,{className:`row`,children:[e.subscriber&&(0,V.jsx)(a,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId}),e.pause&&(0,V.jsx)(a,{href:`/repairs`,children:(0,V.jsx)(C,{tone:e.pause.resumedAt?void 0:`wait`,children:m(e.pause.resumedAt?`alert.resumed`:`alert.paused`)})})]})}export{q as Alerts};