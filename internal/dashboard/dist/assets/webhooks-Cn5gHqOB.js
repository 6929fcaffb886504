import{t as e}from"./pencil-DMT7pHam.js";import{t}from"./plus-DnFrg5jt.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{r as a,t as o}from"./address-BHq2i49I.js";import{c as s,f as c,m as l,t as u}from"./document-__yBWdMy.js";import{S as d,a as f,i as p,t as m,v as h}from"./button-BN0QXP3S.js";import{i as g,l as _,n as v,s as y}from"./form-F0xFNEb5.js";import{t as b}from"./identifier-field-DFvYet_C.js";import{c as x,r as S}from"./lists-CpmF0fzc.js";import{c as C}from"./text-DjmMxfOS.js";import{a as w,c as T,d as E,g as D,l as O,m as k,n as A,o as j,s as M,t as N,u as P}from"./ui-D2k4UMZz.js";var F=new u(`
    query WebhookEndpoints($first: Int, $after: String, $last: Int, $before: String) {
  webhookEndpoints(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      url
      description
      eventTypes
      workflows
      channels
      ordered
      active
      failingSince
      disabledAt
      disabledReason
      previousSecretUntil
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),I=new u(`
    query WebhookDeliveries($first: Int, $after: String, $last: Int, $before: String, $filter: WebhookDeliveryFilter) {
  webhookDeliveries(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      internalId
      eventType
      status
      attempts
      dueAt
      createdAt
      payload
      attemptLog {
        number
        at
        durationMs
        httpStatus
        body
        errorText
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
    `),L=new u(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),R=new u(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),z=new u(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),B=new u(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),V=new u(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),H=new u(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),U=new u(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),W=n(r(),1),G=i(),K=[`EVENT_ACCEPTED`,`NOTIFICATION_STARTED`,`NOTIFICATION_FINISHED`,`MESSAGE_SENT`,`MESSAGE_FAILED`,`MESSAGE_DELIVERED`,`MESSAGE_OPENED`,`MESSAGE_CLICKED`,`MESSAGE_UNDELIVERED`,`MESSAGE_BOUNCED`,`MESSAGE_COMPLAINED`,`MESSAGE_READ`,`MESSAGE_ARCHIVED`,`PREFERENCE_CHANGED`,`SUBSCRIBER_CREATED`,`SUBSCRIBER_UPDATED`,`SUBSCRIBER_DELETED`,`WORKFLOW_PUBLISHED`,`INTEGRATION_UNHEALTHY`,`INTEGRATION_RECOVERED`,`WEBHOOK_ENDPOINT_DISABLED`,`ALERT_OPENED`,`ALERT_RECOVERED`];function q(){let n=a(),r=l(F,n.variables),[i,o]=(0,W.useState)(!1),[s,u]=(0,W.useState)(),[f,g]=(0,W.useState)(``),_=c(V),v=c(z,r.reload),y=c(B,e=>{g(e.rotateWebhookSecret.secret),r.reload()}),b=()=>{o(!1),u(void 0),r.reload()};return(0,G.jsxs)(P,{title:C(`nav.webhooks`),actions:(0,G.jsx)(h,{needs:`ADMIN`,children:(0,G.jsx)(m,{icon:t,look:`primary`,onClick:()=>o(!0),children:C(`webhook.new`)})}),children:[(0,G.jsx)(w,{error:_.error??v.error??y.error}),(0,G.jsx)(T,{of:r,children:({webhookEndpoints:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsxs)(A,{title:C(`webhook.endpoints`),children:[(0,G.jsx)(j,{what:C(`webhook.secret`),secret:f},f),(0,G.jsx)(k,{label:C(`webhook.list`),rows:t.nodes,id:e=>e.id,empty:C(`webhook.none`),columns:[{name:C(`webhook.url`),cell:e=>(0,G.jsxs)(`span`,{children:[(0,G.jsx)(`code`,{children:e.url}),` `,e.description]})},{name:C(`webhook.events`),cell:e=>e.eventTypes.length?e.eventTypes.map(d).join(`, `):C(`webhook.all`)},{name:C(`common.status`),cell:e=>(0,G.jsx)(J,{of:e})},{name:``,cell:t=>(0,G.jsx)(h,{needs:`ADMIN`,children:(0,G.jsxs)(`span`,{className:`row`,children:[(0,G.jsx)(m,{disabled:!t.active,onClick:()=>_.run({id:t.id}),children:C(`webhook.ping`)}),(0,G.jsx)(m,{icon:e,onClick:()=>u(t),"aria-label":C(`webhook.changeOf`,{url:t.url}),children:C(`common.change`)}),(0,G.jsx)(p,{label:C(`webhook.rotate`),look:``,needs:`ADMIN`,question:C(`webhook.rotateQuestion`),onConfirm:()=>y.run({input:{id:t.id}})}),(0,G.jsx)(p,{label:C(`common.delete`),needs:`ADMIN`,question:C(`webhook.deleteQuestion`,{url:t.url}),onConfirm:()=>v.run({id:t.id})})]})})}]}),(0,G.jsx)(E,{label:C(`webhook.list`),pager:n,info:t.pageInfo})]}),(0,G.jsx)(Z,{endpoints:t.nodes})]})}),i&&(0,G.jsx)(Y,{onClose:()=>o(!1),onDone:e=>{g(e??``),b()}}),s&&(0,G.jsx)(Y,{of:s,onClose:()=>u(void 0),onDone:b})]})}function J({of:e}){return e.active&&e.failingSince?(0,G.jsxs)(`span`,{children:[(0,G.jsx)(N,{tone:`wait`,children:C(`webhook.failing`)}),` `,C(`webhook.since`),` `,(0,G.jsx)(D,{at:e.failingSince,precise:!0})]}):e.active?(0,G.jsx)(N,{tone:`good`,children:C(`webhook.active`)}):(0,G.jsxs)(`span`,{children:[(0,G.jsx)(N,{tone:`bad`,children:C(`webhook.inactive`)}),` `,e.disabledReason]})}function Y({of:e,onClose:t,onDone:n}){let[r,i]=(0,W.useState)(e?.url??``),[a,o]=(0,W.useState)(e?.description??``),[l,u]=(0,W.useState)([...e?.eventTypes??[]]),[p,m]=(0,W.useState)(e?.workflows.join(`, `)??``),[h,y]=(0,W.useState)(e?.ordered??!1),[w,T]=(0,W.useState)(e?.active??!0),E=c(L,e=>n(e.createWebhookEndpoint.secret),s),D=c(R,()=>n()),O={url:r,description:a,eventTypes:l,workflows:x(p),ordered:h};return(0,G.jsx)(f,{title:C(e?`webhook.changeTitle`:`webhook.new`),onClose:t,children:(0,G.jsxs)(g,{submit:C(e?`common.save`:`common.create`),action:e?D:E,onSubmit:()=>e?D.run({input:{id:e.id,active:w,...O}}):E.run({input:O}),children:[(0,G.jsx)(_,{label:C(`webhook.url`),at:`url`,value:r,onChange:i,required:!0,placeholder:`https://example.com/carillon`}),(0,G.jsx)(_,{label:C(`webhook.description`),at:`description`,value:a,onChange:o}),(0,G.jsxs)(`fieldset`,{children:[(0,G.jsx)(`legend`,{children:C(`webhook.eventsNone`)}),K.map(e=>(0,G.jsx)(v,{label:d(e),value:l.includes(e),onChange:t=>u(S(l,e,t))},e))]}),(0,G.jsx)(b,{of:`workflow`,several:!0,label:C(`nav.workflows`),at:`workflows`,value:p,onChange:m,hint:C(`webhook.workflowsHint`)}),(0,G.jsx)(v,{label:C(`webhook.ordered`),value:h,onChange:y}),e&&(0,G.jsx)(v,{label:C(`word.ACTIVE`),value:w,onChange:T})]})})}var X={PENDING:`wait`,DELIVERED:`good`,FAILED:`bad`};function Z({endpoints:e}){let{get:t,set:n}=o(`d-`),r=a(`d-`),i=t(`endpoint`),s=t(`status`),u=l(I,{...r.variables,filter:{endpointId:i||void 0,statusIn:s?[s]:void 0}}),[f,h]=(0,W.useState)(),[g,_]=(0,W.useState)(``),v=c(U,e=>{_(C(`webhook.replayed`,{n:e.replayWebhookDeliveries.count})),u.reload()});return(0,G.jsxs)(A,{title:C(`webhook.deliveries`),actions:(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(m,{onClick:u.reload,children:C(`common.refresh`)}),i&&(0,G.jsx)(p,{label:C(`webhook.replayFailed`),look:``,needs:`ADMIN`,question:C(`webhook.replayQuestion`),onConfirm:()=>v.run({input:{endpointId:i}})})]}),children:[(0,G.jsx)(w,{error:v.error}),g&&(0,G.jsx)(O,{tone:`good`,role:`status`,children:g}),(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(y,{label:C(`webhook.endpoint`),value:i,onChange:n(`endpoint`),options:[{value:``,label:C(`webhook.all`)},...e.map(e=>({value:e.id,label:e.url}))]}),(0,G.jsx)(y,{label:C(`common.status`),value:s,onChange:n(`status`),options:[{value:``,label:C(`webhook.all`)},`PENDING`,`DELIVERED`,`FAILED`]})]}),(0,G.jsx)(T,{of:u,children:({webhookDeliveries:e})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(k,{label:C(`webhook.deliveriesOf`),rows:e.nodes,id:e=>e.id,empty:C(`webhook.noMatch`),columns:[{name:C(`common.when`),cell:e=>(0,G.jsx)(D,{at:e.createdAt})},{name:C(`webhook.event`),cell:e=>d(e.eventType)},{name:C(`common.status`),cell:e=>(0,G.jsx)(N,{tone:X[e.status],children:d(e.status)})},{name:C(`webhook.attempts`),cell:e=>e.attempts},{name:C(`webhook.next`),cell:e=>(0,G.jsx)(D,{at:e.dueAt})},{name:``,cell:e=>(0,G.jsx)(m,{look:`plain`,onClick:()=>h(e),"aria-label":C(`webhook.showOf`,{id:e.internalId}),children:C(`webhook.show`)})}]}),(0,G.jsx)(E,{label:C(`webhook.deliveriesOf`),pager:r,info:e.pageInfo})]})}),f&&(0,G.jsx)(Q,{of:f,onClose:()=>h(void 0),onDone:()=>{h(void 0),u.reload()}})]})}function Q({of:e,onClose:t,onDone:n}){let r=c(H,n);return(0,G.jsxs)(f,{title:C(`webhook.delivery`,{id:e.internalId}),onClose:t,children:[(0,G.jsx)(w,{error:r.error}),(0,G.jsx)(M,{label:C(`common.body`),value:e.payload}),(0,G.jsx)(k,{label:C(`webhook.attempts`),rows:e.attemptLog,id:e=>String(e.number),empty:C(`webhook.unattempted`),columns:[{name:C(`common.when`),cell:e=>(0,G.jsx)(D,{at:e.at})},{name:C(`webhook.answer`),cell:e=>e.httpStatus??e.errorText},{name:C(`webhook.took`),cell:e=>`${e.durationMs} ms`},{name:C(`common.body`),cell:e=>(0,G.jsx)(`code`,{children:e.body})}]}),e.status!==`PENDING`&&(0,G.jsx)(h,{needs:`ADMIN`,children:(0,G.jsx)(m,{look:`primary`,onClick:()=>r.run({id:e.id}),children:C(`webhook.replay`)})})]})}export{q as Webhooks};