import{t as e}from"./pencil-znexNhq2.js";import{t}from"./plus-BcR5Copq.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{r as a,t as o}from"./address-CuHLyZnn.js";import{f as s,s as c,t as l,u}from"./document-DB1uREhl.js";import{_ as d,a as f,i as p,t as m}from"./button-C2jgqasV.js";import{i as h,l as g,n as _,s as v}from"./form-DCMhYeF4.js";import{n as y}from"./payload-payload-C9o8ls8V.js";import{r as b,s as x,t as S}from"./lists-DVkFUpFN.js";import{c as C}from"./text-DqNWG3dt.js";import{a as w,c as T,d as E,g as D,l as O,m as k,n as A,o as j,s as M,t as N,u as P}from"./ui-roPAMa49.js";import{t as F}from"./words-w0JacNS_.js";var I=new l(`
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
    `),L=new l(`
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
    `),R=new l(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),z=new l(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),B=new l(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),V=new l(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),H=new l(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),U=new l(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),W=new l(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),G=n(r(),1),K=i(),q=[`EVENT_ACCEPTED`,`NOTIFICATION_STARTED`,`NOTIFICATION_FINISHED`,`MESSAGE_SENT`,`MESSAGE_FAILED`,`MESSAGE_DELIVERED`,`MESSAGE_OPENED`,`MESSAGE_CLICKED`,`MESSAGE_UNDELIVERED`,`MESSAGE_BOUNCED`,`MESSAGE_COMPLAINED`,`MESSAGE_READ`,`MESSAGE_ARCHIVED`,`PREFERENCE_CHANGED`,`SUBSCRIBER_CREATED`,`SUBSCRIBER_UPDATED`,`SUBSCRIBER_DELETED`,`WORKFLOW_PUBLISHED`,`INTEGRATION_UNHEALTHY`,`INTEGRATION_RECOVERED`,`WEBHOOK_ENDPOINT_DISABLED`,`ALERT_OPENED`,`ALERT_RECOVERED`];function J(){let n=a(),r=s(I,n.variables),[i,o]=(0,G.useState)(!1),[c,l]=(0,G.useState)(),[f,h]=(0,G.useState)(``),g=u(H),_=u(B,r.reload),v=u(V,e=>{h(e.rotateWebhookSecret.secret),r.reload()}),y=()=>{o(!1),l(void 0),r.reload()};return(0,K.jsxs)(P,{title:C(`nav.webhooks`),actions:(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsx)(m,{icon:t,look:`primary`,onClick:()=>o(!0),children:C(`webhook.new`)})}),children:[(0,K.jsx)(w,{error:g.error??_.error??v.error}),(0,K.jsx)(T,{of:r,children:({webhookEndpoints:t})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(A,{title:C(`webhook.endpoints`),children:[(0,K.jsx)(j,{what:C(`webhook.secret`),secret:f},f),(0,K.jsx)(k,{label:C(`webhook.list`),rows:t.nodes,id:e=>e.id,empty:C(`webhook.none`),columns:[{name:C(`webhook.url`),cell:e=>(0,K.jsxs)(`span`,{children:[(0,K.jsx)(`code`,{children:e.url}),` `,e.description]})},{name:C(`webhook.events`),cell:e=>e.eventTypes.length?e.eventTypes.map(F).join(`, `):C(`webhook.all`)},{name:C(`common.status`),cell:e=>(0,K.jsx)(Y,{of:e})},{name:``,cell:t=>(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsxs)(`span`,{className:`row`,children:[(0,K.jsx)(m,{disabled:!t.active,onClick:()=>g.run({id:t.id}),children:C(`webhook.ping`)}),(0,K.jsx)(m,{icon:e,onClick:()=>l(t),"aria-label":C(`webhook.changeOf`,{url:t.url}),children:C(`common.change`)}),(0,K.jsx)(p,{label:C(`webhook.rotate`),look:``,needs:`ADMIN`,question:C(`webhook.rotateQuestion`),onConfirm:()=>v.run({input:{id:t.id}})}),(0,K.jsx)(p,{label:C(`common.delete`),needs:`ADMIN`,question:C(`webhook.deleteQuestion`,{url:t.url}),onConfirm:()=>_.run({id:t.id})})]})})}]}),(0,K.jsx)(E,{label:C(`webhook.list`),pager:n,info:t.pageInfo})]}),(0,K.jsx)(Q,{endpoints:t.nodes})]})}),i&&(0,K.jsx)(X,{onClose:()=>o(!1),onDone:e=>{h(e??``),y()}}),c&&(0,K.jsx)(X,{of:c,onClose:()=>l(void 0),onDone:y})]})}function Y({of:e}){return e.active&&e.failingSince?(0,K.jsxs)(`span`,{children:[(0,K.jsx)(N,{tone:`wait`,children:C(`webhook.failing`)}),` `,C(`webhook.since`),` `,(0,K.jsx)(D,{at:e.failingSince,precise:!0})]}):e.active?(0,K.jsx)(N,{tone:`good`,children:C(`webhook.active`)}):(0,K.jsxs)(`span`,{children:[(0,K.jsx)(N,{tone:`bad`,children:C(`webhook.inactive`)}),` `,e.disabledReason]})}function X({of:e,onClose:t,onDone:n}){let[r,i]=(0,G.useState)(e?.url??``),[a,o]=(0,G.useState)(e?.description??``),[l,d]=(0,G.useState)([...e?.eventTypes??[]]),[p,m]=(0,G.useState)(e?.workflows.join(`, `)??``),[v,w]=(0,G.useState)(e?.ordered??!1),[T,E]=(0,G.useState)(e?.active??!0),{data:D}=s(y,{}),O=u(R,e=>n(e.createWebhookEndpoint.secret),c),k=u(z,()=>n()),A={url:r,description:a,eventTypes:l,workflows:x(p),ordered:v};return(0,K.jsx)(f,{title:C(e?`webhook.changeTitle`:`webhook.new`),onClose:t,children:(0,K.jsxs)(h,{submit:C(e?`common.save`:`common.create`),action:e?k:O,onSubmit:()=>e?k.run({input:{id:e.id,active:T,...A}}):O.run({input:A}),children:[(0,K.jsx)(g,{label:C(`webhook.url`),at:`url`,value:r,onChange:i,required:!0,placeholder:`https://example.com/carillon`}),(0,K.jsx)(g,{label:C(`webhook.description`),at:`description`,value:a,onChange:o}),(0,K.jsxs)(`fieldset`,{children:[(0,K.jsx)(`legend`,{children:C(`webhook.eventsNone`)}),q.map(e=>(0,K.jsx)(_,{label:F(e),value:l.includes(e),onChange:t=>d(b(l,e,t))},e))]}),(0,K.jsx)(g,{label:C(`nav.workflows`),at:`workflows`,value:p,onChange:m,choices:S(p,D?.workflows.nodes.map(e=>e.identifier)),hint:C(`webhook.workflowsHint`)}),(0,K.jsx)(_,{label:C(`webhook.ordered`),value:v,onChange:w}),e&&(0,K.jsx)(_,{label:C(`word.ACTIVE`),value:T,onChange:E})]})})}var Z={PENDING:`wait`,DELIVERED:`good`,FAILED:`bad`};function Q({endpoints:e}){let{get:t,set:n}=o(`d-`),r=a(`d-`),i=t(`endpoint`),c=t(`status`),l=s(L,{...r.variables,filter:{endpointId:i||void 0,statusIn:c?[c]:void 0}}),[d,f]=(0,G.useState)(),[h,g]=(0,G.useState)(``),_=u(W,e=>{g(C(`webhook.replayed`,{n:e.replayWebhookDeliveries.count})),l.reload()});return(0,K.jsxs)(A,{title:C(`webhook.deliveries`),actions:(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(m,{onClick:l.reload,children:C(`common.refresh`)}),i&&(0,K.jsx)(p,{label:C(`webhook.replayFailed`),look:``,needs:`ADMIN`,question:C(`webhook.replayQuestion`),onConfirm:()=>_.run({input:{endpointId:i}})})]}),children:[(0,K.jsx)(w,{error:_.error}),h&&(0,K.jsx)(O,{tone:`good`,role:`status`,children:h}),(0,K.jsxs)(`div`,{className:`filters`,children:[(0,K.jsx)(v,{label:C(`webhook.endpoint`),value:i,onChange:n(`endpoint`),options:[{value:``,label:C(`webhook.all`)},...e.map(e=>({value:e.id,label:e.url}))]}),(0,K.jsx)(v,{label:C(`common.status`),value:c,onChange:n(`status`),options:[{value:``,label:C(`webhook.all`)},`PENDING`,`DELIVERED`,`FAILED`]})]}),(0,K.jsx)(T,{of:l,children:({webhookDeliveries:e})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(k,{label:C(`webhook.deliveriesOf`),rows:e.nodes,id:e=>e.id,empty:C(`webhook.noMatch`),columns:[{name:C(`common.when`),cell:e=>(0,K.jsx)(D,{at:e.createdAt})},{name:C(`webhook.event`),cell:e=>F(e.eventType)},{name:C(`common.status`),cell:e=>(0,K.jsx)(N,{tone:Z[e.status],children:F(e.status)})},{name:C(`webhook.attempts`),cell:e=>e.attempts},{name:C(`webhook.next`),cell:e=>(0,K.jsx)(D,{at:e.dueAt})},{name:``,cell:e=>(0,K.jsx)(m,{look:`plain`,onClick:()=>f(e),"aria-label":C(`webhook.showOf`,{id:e.internalId}),children:C(`webhook.show`)})}]}),(0,K.jsx)(E,{label:C(`webhook.deliveriesOf`),pager:r,info:e.pageInfo})]})}),d&&(0,K.jsx)($,{of:d,onClose:()=>f(void 0),onDone:()=>{f(void 0),l.reload()}})]})}function $({of:e,onClose:t,onDone:n}){let r=u(U,n);return(0,K.jsxs)(f,{title:C(`webhook.delivery`,{id:e.internalId}),onClose:t,children:[(0,K.jsx)(w,{error:r.error}),(0,K.jsx)(M,{label:C(`common.body`),value:e.payload}),(0,K.jsx)(k,{label:C(`webhook.attempts`),rows:e.attemptLog,id:e=>String(e.number),empty:C(`webhook.unattempted`),columns:[{name:C(`common.when`),cell:e=>(0,K.jsx)(D,{at:e.at})},{name:C(`webhook.answer`),cell:e=>e.httpStatus??e.errorText},{name:C(`webhook.took`),cell:e=>`${e.durationMs} ms`},{name:C(`common.body`),cell:e=>(0,K.jsx)(`code`,{children:e.body})}]}),e.status!==`PENDING`&&(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsx)(m,{look:`primary`,onClick:()=>r.run({id:e.id}),children:C(`webhook.replay`)})})]})}export{J as Webhooks};