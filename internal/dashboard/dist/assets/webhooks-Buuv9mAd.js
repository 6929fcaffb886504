import{t as e}from"./pencil-oGPZj3JN.js";import{t}from"./plus-DMsR_D0x.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{r as a,t as o}from"./address-AAVe8LmF.js";import{f as s,s as c,t as l,u}from"./document-DOpnm8OA.js";import{_ as d,a as f,i as p,t as m}from"./button-DrZok8y8.js";import{i as h,l as g,n as _,s as v}from"./form-LUm_ZQFx.js";import{t as y}from"./identifier-field-CVgPA83g.js";import{c as b,r as x}from"./lists-CpmF0fzc.js";import{c as S}from"./text-AeBTDtkA.js";import{a as C,c as w,d as T,g as E,l as D,m as O,n as k,o as A,s as j,t as M,u as N}from"./ui-Bua6Uujo.js";import{t as P}from"./words-BFceARnm.js";var F=new l(`
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
    `),I=new l(`
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
    `),L=new l(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),R=new l(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),z=new l(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),B=new l(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),V=new l(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),H=new l(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),U=new l(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),W=n(r(),1),G=i(),K=[`EVENT_ACCEPTED`,`NOTIFICATION_STARTED`,`NOTIFICATION_FINISHED`,`MESSAGE_SENT`,`MESSAGE_FAILED`,`MESSAGE_DELIVERED`,`MESSAGE_OPENED`,`MESSAGE_CLICKED`,`MESSAGE_UNDELIVERED`,`MESSAGE_BOUNCED`,`MESSAGE_COMPLAINED`,`MESSAGE_READ`,`MESSAGE_ARCHIVED`,`PREFERENCE_CHANGED`,`SUBSCRIBER_CREATED`,`SUBSCRIBER_UPDATED`,`SUBSCRIBER_DELETED`,`WORKFLOW_PUBLISHED`,`INTEGRATION_UNHEALTHY`,`INTEGRATION_RECOVERED`,`WEBHOOK_ENDPOINT_DISABLED`,`ALERT_OPENED`,`ALERT_RECOVERED`];function q(){let n=a(),r=s(F,n.variables),[i,o]=(0,W.useState)(!1),[c,l]=(0,W.useState)(),[f,h]=(0,W.useState)(``),g=u(V),_=u(z,r.reload),v=u(B,e=>{h(e.rotateWebhookSecret.secret),r.reload()}),y=()=>{o(!1),l(void 0),r.reload()};return(0,G.jsxs)(N,{title:S(`nav.webhooks`),actions:(0,G.jsx)(d,{needs:`ADMIN`,children:(0,G.jsx)(m,{icon:t,look:`primary`,onClick:()=>o(!0),children:S(`webhook.new`)})}),children:[(0,G.jsx)(C,{error:g.error??_.error??v.error}),(0,G.jsx)(w,{of:r,children:({webhookEndpoints:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsxs)(k,{title:S(`webhook.endpoints`),children:[(0,G.jsx)(A,{what:S(`webhook.secret`),secret:f},f),(0,G.jsx)(O,{label:S(`webhook.list`),rows:t.nodes,id:e=>e.id,empty:S(`webhook.none`),columns:[{name:S(`webhook.url`),cell:e=>(0,G.jsxs)(`span`,{children:[(0,G.jsx)(`code`,{children:e.url}),` `,e.description]})},{name:S(`webhook.events`),cell:e=>e.eventTypes.length?e.eventTypes.map(P).join(`, `):S(`webhook.all`)},{name:S(`common.status`),cell:e=>(0,G.jsx)(J,{of:e})},{name:``,cell:t=>(0,G.jsx)(d,{needs:`ADMIN`,children:(0,G.jsxs)(`span`,{className:`row`,children:[(0,G.jsx)(m,{disabled:!t.active,onClick:()=>g.run({id:t.id}),children:S(`webhook.ping`)}),(0,G.jsx)(m,{icon:e,onClick:()=>l(t),"aria-label":S(`webhook.changeOf`,{url:t.url}),children:S(`common.change`)}),(0,G.jsx)(p,{label:S(`webhook.rotate`),look:``,needs:`ADMIN`,question:S(`webhook.rotateQuestion`),onConfirm:()=>v.run({input:{id:t.id}})}),(0,G.jsx)(p,{label:S(`common.delete`),needs:`ADMIN`,question:S(`webhook.deleteQuestion`,{url:t.url}),onConfirm:()=>_.run({id:t.id})})]})})}]}),(0,G.jsx)(T,{label:S(`webhook.list`),pager:n,info:t.pageInfo})]}),(0,G.jsx)(Z,{endpoints:t.nodes})]})}),i&&(0,G.jsx)(Y,{onClose:()=>o(!1),onDone:e=>{h(e??``),y()}}),c&&(0,G.jsx)(Y,{of:c,onClose:()=>l(void 0),onDone:y})]})}function J({of:e}){return e.active&&e.failingSince?(0,G.jsxs)(`span`,{children:[(0,G.jsx)(M,{tone:`wait`,children:S(`webhook.failing`)}),` `,S(`webhook.since`),` `,(0,G.jsx)(E,{at:e.failingSince,precise:!0})]}):e.active?(0,G.jsx)(M,{tone:`good`,children:S(`webhook.active`)}):(0,G.jsxs)(`span`,{children:[(0,G.jsx)(M,{tone:`bad`,children:S(`webhook.inactive`)}),` `,e.disabledReason]})}function Y({of:e,onClose:t,onDone:n}){let[r,i]=(0,W.useState)(e?.url??``),[a,o]=(0,W.useState)(e?.description??``),[s,l]=(0,W.useState)([...e?.eventTypes??[]]),[d,p]=(0,W.useState)(e?.workflows.join(`, `)??``),[m,v]=(0,W.useState)(e?.ordered??!1),[C,w]=(0,W.useState)(e?.active??!0),T=u(L,e=>n(e.createWebhookEndpoint.secret),c),E=u(R,()=>n()),D={url:r,description:a,eventTypes:s,workflows:b(d),ordered:m};return(0,G.jsx)(f,{title:S(e?`webhook.changeTitle`:`webhook.new`),onClose:t,children:(0,G.jsxs)(h,{submit:S(e?`common.save`:`common.create`),action:e?E:T,onSubmit:()=>e?E.run({input:{id:e.id,active:C,...D}}):T.run({input:D}),children:[(0,G.jsx)(g,{label:S(`webhook.url`),at:`url`,value:r,onChange:i,required:!0,placeholder:`https://example.com/carillon`}),(0,G.jsx)(g,{label:S(`webhook.description`),at:`description`,value:a,onChange:o}),(0,G.jsxs)(`fieldset`,{children:[(0,G.jsx)(`legend`,{children:S(`webhook.eventsNone`)}),K.map(e=>(0,G.jsx)(_,{label:P(e),value:s.includes(e),onChange:t=>l(x(s,e,t))},e))]}),(0,G.jsx)(y,{of:`workflow`,several:!0,label:S(`nav.workflows`),at:`workflows`,value:d,onChange:p,hint:S(`webhook.workflowsHint`)}),(0,G.jsx)(_,{label:S(`webhook.ordered`),value:m,onChange:v}),e&&(0,G.jsx)(_,{label:S(`word.ACTIVE`),value:C,onChange:w})]})})}var X={PENDING:`wait`,DELIVERED:`good`,FAILED:`bad`};function Z({endpoints:e}){let{get:t,set:n}=o(`d-`),r=a(`d-`),i=t(`endpoint`),c=t(`status`),l=s(I,{...r.variables,filter:{endpointId:i||void 0,statusIn:c?[c]:void 0}}),[d,f]=(0,W.useState)(),[h,g]=(0,W.useState)(``),_=u(U,e=>{g(S(`webhook.replayed`,{n:e.replayWebhookDeliveries.count})),l.reload()});return(0,G.jsxs)(k,{title:S(`webhook.deliveries`),actions:(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(m,{onClick:l.reload,children:S(`common.refresh`)}),i&&(0,G.jsx)(p,{label:S(`webhook.replayFailed`),look:``,needs:`ADMIN`,question:S(`webhook.replayQuestion`),onConfirm:()=>_.run({input:{endpointId:i}})})]}),children:[(0,G.jsx)(C,{error:_.error}),h&&(0,G.jsx)(D,{tone:`good`,role:`status`,children:h}),(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(v,{label:S(`webhook.endpoint`),value:i,onChange:n(`endpoint`),options:[{value:``,label:S(`webhook.all`)},...e.map(e=>({value:e.id,label:e.url}))]}),(0,G.jsx)(v,{label:S(`common.status`),value:c,onChange:n(`status`),options:[{value:``,label:S(`webhook.all`)},`PENDING`,`DELIVERED`,`FAILED`]})]}),(0,G.jsx)(w,{of:l,children:({webhookDeliveries:e})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(O,{label:S(`webhook.deliveriesOf`),rows:e.nodes,id:e=>e.id,empty:S(`webhook.noMatch`),columns:[{name:S(`common.when`),cell:e=>(0,G.jsx)(E,{at:e.createdAt})},{name:S(`webhook.event`),cell:e=>P(e.eventType)},{name:S(`common.status`),cell:e=>(0,G.jsx)(M,{tone:X[e.status],children:P(e.status)})},{name:S(`webhook.attempts`),cell:e=>e.attempts},{name:S(`webhook.next`),cell:e=>(0,G.jsx)(E,{at:e.dueAt})},{name:``,cell:e=>(0,G.jsx)(m,{look:`plain`,onClick:()=>f(e),"aria-label":S(`webhook.showOf`,{id:e.internalId}),children:S(`webhook.show`)})}]}),(0,G.jsx)(T,{label:S(`webhook.deliveriesOf`),pager:r,info:e.pageInfo})]})}),d&&(0,G.jsx)(Q,{of:d,onClose:()=>f(void 0),onDone:()=>{f(void 0),l.reload()}})]})}function Q({of:e,onClose:t,onDone:n}){let r=u(H,n);return(0,G.jsxs)(f,{title:S(`webhook.delivery`,{id:e.internalId}),onClose:t,children:[(0,G.jsx)(C,{error:r.error}),(0,G.jsx)(j,{label:S(`common.body`),value:e.payload}),(0,G.jsx)(O,{label:S(`webhook.attempts`),rows:e.attemptLog,id:e=>String(e.number),empty:S(`webhook.unattempted`),columns:[{name:S(`common.when`),cell:e=>(0,G.jsx)(E,{at:e.at})},{name:S(`webhook.answer`),cell:e=>e.httpStatus??e.errorText},{name:S(`webhook.took`),cell:e=>`${e.durationMs} ms`},{name:S(`common.body`),cell:e=>(0,G.jsx)(`code`,{children:e.body})}]}),e.status!==`PENDING`&&(0,G.jsx)(d,{needs:`ADMIN`,children:(0,G.jsx)(m,{look:`primary`,onClick:()=>r.run({id:e.id}),children:S(`webhook.replay`)})})]})}export{q as Webhooks};