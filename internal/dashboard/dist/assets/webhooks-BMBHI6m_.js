import{t as e}from"./pencil-db9DW_K6.js";import{t}from"./plus-TwwWyVs2.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{r as a,t as o}from"./address-NG03ewlH.js";import{d as s,f as c,m as l,s as u,t as d}from"./document-dlEMawag.js";import{S as f,a as p,i as m,t as h,v as g}from"./button-Dgb5THJ5.js";import{a as _}from"./edited-D4mEspNB.js";import{i as v,l as y,n as b,s as x}from"./form-DrW5btIS.js";import{t as S}from"./identifier-field-C1ZnZjLe.js";import{c as C,r as w}from"./lists-CpmF0fzc.js";import{c as T}from"./text-Dt6ehE6o.js";import{a as E,c as D,d as O,g as k,l as A,m as j,n as M,o as N,s as P,t as F,u as I}from"./ui-CoQ-QTUx.js";var L=new d(`
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
    `),R=new d(`
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
    `),z=new d(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),B=new d(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),V=new d(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),H=new d(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),U=new d(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),W=new d(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),G=new d(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),K=new d(`
    query WebhookEndpoint($id: ID!) {
  webhookEndpoint(id: $id) {
    url
    description
    eventTypes
    workflows
    ordered
    active
  }
}
    `),q=n(r(),1),J=i(),Y=[`EVENT_ACCEPTED`,`NOTIFICATION_STARTED`,`NOTIFICATION_FINISHED`,`MESSAGE_SENT`,`MESSAGE_FAILED`,`MESSAGE_DELIVERED`,`MESSAGE_OPENED`,`MESSAGE_CLICKED`,`MESSAGE_UNDELIVERED`,`MESSAGE_BOUNCED`,`MESSAGE_COMPLAINED`,`MESSAGE_READ`,`MESSAGE_ARCHIVED`,`PREFERENCE_CHANGED`,`SUBSCRIBER_CREATED`,`SUBSCRIBER_UPDATED`,`SUBSCRIBER_DELETED`,`WORKFLOW_PUBLISHED`,`INTEGRATION_UNHEALTHY`,`INTEGRATION_RECOVERED`,`WEBHOOK_ENDPOINT_DISABLED`,`ALERT_OPENED`,`ALERT_RECOVERED`];function X(){let n=a(),r=l(L,n.variables),[i,o]=(0,q.useState)(!1),[c,u]=(0,q.useState)(),[d,p]=(0,q.useState)(``),_=s(U),v=s(V,r.reload),y=s(H,e=>{p(e.rotateWebhookSecret.secret),r.reload()}),b=()=>{o(!1),u(void 0),r.reload()};return(0,J.jsxs)(I,{title:T(`nav.webhooks`),actions:(0,J.jsx)(g,{needs:`ADMIN`,children:(0,J.jsx)(h,{icon:t,look:`primary`,onClick:()=>o(!0),children:T(`webhook.new`)})}),children:[(0,J.jsx)(E,{error:_.error??v.error??y.error}),(0,J.jsx)(D,{of:r,children:({webhookEndpoints:t})=>(0,J.jsxs)(J.Fragment,{children:[(0,J.jsxs)(M,{title:T(`webhook.endpoints`),children:[(0,J.jsx)(N,{what:T(`webhook.secret`),secret:d},d),(0,J.jsx)(j,{label:T(`webhook.list`),rows:t.nodes,id:e=>e.id,empty:T(`webhook.none`),columns:[{name:T(`webhook.url`),cell:e=>(0,J.jsxs)(`span`,{children:[(0,J.jsx)(`code`,{children:e.url}),` `,e.description]})},{name:T(`webhook.events`),cell:e=>e.eventTypes.length?e.eventTypes.map(f).join(`, `):T(`webhook.all`)},{name:T(`common.status`),cell:e=>(0,J.jsx)(Z,{of:e})},{name:``,cell:t=>(0,J.jsx)(g,{needs:`ADMIN`,children:(0,J.jsxs)(`span`,{className:`row`,children:[(0,J.jsx)(h,{disabled:!t.active,onClick:()=>_.run({id:t.id}),children:T(`webhook.ping`)}),(0,J.jsx)(h,{icon:e,onClick:()=>u(t),"aria-label":T(`webhook.changeOf`,{url:t.url}),children:T(`common.change`)}),(0,J.jsx)(m,{label:T(`webhook.rotate`),look:``,needs:`ADMIN`,question:T(`webhook.rotateQuestion`),onConfirm:()=>y.run({input:{id:t.id}})}),(0,J.jsx)(m,{label:T(`common.delete`),needs:`ADMIN`,question:T(`webhook.deleteQuestion`,{url:t.url}),onConfirm:()=>v.run({id:t.id})})]})})}]}),(0,J.jsx)(O,{label:T(`webhook.list`),pager:n,info:t.pageInfo})]}),(0,J.jsx)(ee,{endpoints:t.nodes})]})}),i&&(0,J.jsx)(Q,{onClose:()=>o(!1),onDone:e=>{p(e??``),b()}}),c&&(0,J.jsx)(Q,{of:c,onClose:()=>u(void 0),onDone:b})]})}function Z({of:e}){return e.active&&e.failingSince?(0,J.jsxs)(`span`,{children:[(0,J.jsx)(F,{tone:`wait`,children:T(`webhook.failing`)}),` `,T(`webhook.since`),` `,(0,J.jsx)(k,{at:e.failingSince,precise:!0})]}):e.active?(0,J.jsx)(F,{tone:`good`,children:T(`webhook.active`)}):(0,J.jsxs)(`span`,{children:[(0,J.jsx)(F,{tone:`bad`,children:T(`webhook.inactive`)}),` `,e.disabledReason]})}function Q({of:e,onClose:t,onDone:n}){let r=_({of:e,valuesOf:e=>({url:e?.url??``,description:e?.description??``,eventTypes:e?.eventTypes??[],workflows:e?.workflows.join(`, `)??``,ordered:e?.ordered??!1,active:e?.active??!0}),read:async()=>e&&(await u(K,{id:e.id})).webhookEndpoint,send:async({workflows:t,...n})=>e&&u(B,{input:{id:e.id,...n,workflows:t===void 0?void 0:C(t)}}),onSaved:()=>n()}),{active:i,...a}=r.values,{url:o,description:s,eventTypes:l,workflows:d,ordered:m}=a,h=c(z,e=>n(e.createWebhookEndpoint.secret));return(0,J.jsx)(p,{title:T(e?`webhook.changeTitle`:`webhook.new`),onClose:t,children:(0,J.jsxs)(v,{submit:T(e?`common.save`:`common.create`),action:e?r:h,onSubmit:()=>e?r.save():h.run({input:{...a,workflows:C(d)}}),children:[(0,J.jsx)(y,{label:T(`webhook.url`),at:`url`,value:o,onChange:e=>r.set({url:e}),required:!0,placeholder:`https://example.com/carillon`}),(0,J.jsx)(y,{label:T(`webhook.description`),at:`description`,value:s,onChange:e=>r.set({description:e})}),(0,J.jsxs)(`fieldset`,{children:[(0,J.jsx)(`legend`,{children:T(`webhook.eventsNone`)}),Y.map(e=>(0,J.jsx)(b,{label:f(e),value:l.includes(e),onChange:t=>r.set({eventTypes:w([...l],e,t)})},e))]}),(0,J.jsx)(S,{of:`workflow`,several:!0,label:T(`nav.workflows`),at:`workflows`,value:d,onChange:e=>r.set({workflows:e}),hint:T(`webhook.workflowsHint`)}),(0,J.jsx)(b,{label:T(`webhook.ordered`),at:`ordered`,value:m,onChange:e=>r.set({ordered:e})}),e&&(0,J.jsx)(b,{label:T(`word.ACTIVE`),at:`active`,value:i,onChange:e=>r.set({active:e})})]})})}var $={PENDING:`wait`,DELIVERED:`good`,FAILED:`bad`};function ee({endpoints:e}){let{get:t,set:n}=o(`d-`),r=a(`d-`),i=t(`endpoint`),c=t(`status`),u=l(R,{...r.variables,filter:{endpointId:i||void 0,statusIn:c?[c]:void 0}}),[d,p]=(0,q.useState)(),[g,_]=(0,q.useState)(``),v=s(G,e=>{_(T(`webhook.replayed`,{n:e.replayWebhookDeliveries.count})),u.reload()});return(0,J.jsxs)(M,{title:T(`webhook.deliveries`),actions:(0,J.jsxs)(J.Fragment,{children:[(0,J.jsx)(h,{onClick:u.reload,children:T(`common.refresh`)}),i&&(0,J.jsx)(m,{label:T(`webhook.replayFailed`),look:``,needs:`ADMIN`,question:T(`webhook.replayQuestion`),onConfirm:()=>v.run({input:{endpointId:i}})})]}),children:[(0,J.jsx)(E,{error:v.error}),g&&(0,J.jsx)(A,{tone:`good`,role:`status`,children:g}),(0,J.jsxs)(`div`,{className:`filters`,children:[(0,J.jsx)(x,{label:T(`webhook.endpoint`),value:i,onChange:n(`endpoint`),options:[{value:``,label:T(`webhook.all`)},...e.map(e=>({value:e.id,label:e.url}))]}),(0,J.jsx)(x,{label:T(`common.status`),value:c,onChange:n(`status`),options:[{value:``,label:T(`webhook.all`)},`PENDING`,`DELIVERED`,`FAILED`]})]}),(0,J.jsx)(D,{of:u,children:({webhookDeliveries:e})=>(0,J.jsxs)(J.Fragment,{children:[(0,J.jsx)(j,{label:T(`webhook.deliveriesOf`),rows:e.nodes,id:e=>e.id,empty:T(`webhook.noMatch`),columns:[{name:T(`common.when`),cell:e=>(0,J.jsx)(k,{at:e.createdAt})},{name:T(`webhook.event`),cell:e=>f(e.eventType)},{name:T(`common.status`),cell:e=>(0,J.jsx)(F,{tone:$[e.status],children:f(e.status)})},{name:T(`webhook.attempts`),cell:e=>e.attempts},{name:T(`webhook.next`),cell:e=>(0,J.jsx)(k,{at:e.dueAt})},{name:``,cell:e=>(0,J.jsx)(h,{look:`plain`,onClick:()=>p(e),"aria-label":T(`webhook.showOf`,{id:e.internalId}),children:T(`webhook.show`)})}]}),(0,J.jsx)(O,{label:T(`webhook.deliveriesOf`),pager:r,info:e.pageInfo})]})}),d&&(0,J.jsx)(te,{of:d,onClose:()=>p(void 0),onDone:()=>{p(void 0),u.reload()}})]})}function te({of:e,onClose:t,onDone:n}){let r=s(W,n);return(0,J.jsxs)(p,{title:T(`webhook.delivery`,{id:e.internalId}),onClose:t,children:[(0,J.jsx)(E,{error:r.error}),(0,J.jsx)(P,{label:T(`common.body`),value:e.payload}),(0,J.jsx)(j,{label:T(`webhook.attempts`),rows:e.attemptLog,id:e=>String(e.number),empty:T(`webhook.unattempted`),columns:[{name:T(`common.when`),cell:e=>(0,J.jsx)(k,{at:e.at})},{name:T(`webhook.answer`),cell:e=>e.httpStatus??e.errorText},{name:T(`webhook.took`),cell:e=>`${e.durationMs} ms`},{name:T(`common.body`),cell:e=>(0,J.jsx)(`code`,{children:e.body})}]}),e.status!==`PENDING`&&(0,J.jsx)(g,{needs:`ADMIN`,children:(0,J.jsx)(h,{look:`primary`,onClick:()=>r.run({id:e.id}),children:T(`webhook.replay`)})})]})}export{X as Webhooks};