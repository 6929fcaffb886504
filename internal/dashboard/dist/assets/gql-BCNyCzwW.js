import{c as e,f as t,u as n}from"./jsx-runtime-Beq7VIDT.js";import{o as r,t as i}from"./errors-yYOJmMrd.js";function a(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function o(e){return a(e)===`object`}function s(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function c(e,t){return e.length<124?e:t}var l=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(l||{}),u=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(u||{});function d(e){if(!o(e))throw Error(`Message is expected to be an object, but got ${a(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${a(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${a(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${a(e.payload.query)}`);if(e.payload.variables!=null&&!o(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${a(e.payload.variables)}`);if(e.payload.operationName!=null&&a(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${a(e.payload.operationName)}`);if(e.payload.extensions!=null&&!o(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${a(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${a(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!s(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function f(e,t){return d(typeof e==`string`?JSON.parse(e,t):e)}function p(e,t){return d(e),JSON.stringify(e,t)}function m(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:d=0,retryAttempts:m=5,retryWait:v=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:y=g,on:b,webSocketImpl:x,generateID:S=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:C,jsonMessageReviver:w}=e,T;if(x){if(!ee(x))throw Error(`Invalid WebSocket implementation provided`);T=x}else typeof WebSocket<`u`?T=WebSocket:typeof global<`u`?T=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(T=window.WebSocket||window.MozWebSocket);if(!T)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let E=T,D=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:b?.connecting?[b.connecting]:[],opened:b?.opened?[b.opened]:[],connected:b?.connected?[b.connected]:[],ping:b?.ping?[b.ping]:[],pong:b?.pong?[b.pong]:[],message:b?.message?[e.emit,b.message]:[e.emit],closed:b?.closed?[b.closed]:[],error:b?.error?[b.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function O(e){let t=[D.on(`error`,n=>{t.forEach(e=>e()),e(n)}),D.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let k,A=0,j,M=!1,N=0,P=!1;async function F(){clearTimeout(j);let[e,r]=await(k??=new Promise((e,r)=>(async()=>{if(M){if(await v(N),!A)return k=void 0,r({code:1e3,reason:`All Subscriptions Gone`});N++}D.emit(`connecting`,M);let i=new E(typeof t==`function`?await t():t,`graphql-transport-ws`),a,m;function g(){isFinite(o)&&o>0&&(clearTimeout(m),m=setTimeout(()=>{i.readyState===E.OPEN&&(i.send(p({type:u.Ping})),D.emit(`ping`,!1,void 0))},o))}O(e=>{k=void 0,clearTimeout(a),clearTimeout(m),r(e),e instanceof h&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>D.emit(`error`,e),i.onclose=e=>D.emit(`closed`,e),i.onopen=async()=>{try{D.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==E.OPEN)return;i.send(p(e?{type:u.ConnectionInit,payload:e}:{type:u.ConnectionInit},C)),isFinite(d)&&d>0&&(a=setTimeout(()=>{i.close(l.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},d)),g()}catch(e){D.emit(`error`,e),i.close(l.InternalClientError,c(e instanceof Error?e.message:String(e),`Internal client error`))}};let _=!1;i.onmessage=({data:t})=>{try{let n=f(t,w);if(D.emit(`message`,n),n.type===`ping`||n.type===`pong`){D.emit(n.type,!0,n.payload),n.type===`pong`?g():s||(i.send(p(n.payload?{type:u.Pong,payload:n.payload}:{type:u.Pong},C)),D.emit(`pong`,!1,n.payload));return}if(_)return;if(n.type!==u.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),_=!0,D.emit(`connected`,i,n.payload,M),M=!1,N=0;let r=new Promise((e,t)=>O(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,D.emit(`error`,e),i.close(l.BadResponse,c(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===E.CLOSING&&await r;let i=()=>{},m=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=O(n);e.readyState!==E.OPEN&&r.catch(n),m.then(()=>{if(i(),!A){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(j),j=setTimeout(()=>{!A&&e.readyState===E.OPEN&&t()},a)):t()}t()})})]}function I(e){if(g(e)&&(_(e.code)||[l.InternalServerError,l.InternalClientError,l.BadRequest,l.BadResponse,l.Unauthorized,l.SubprotocolNotAcceptable,l.SubscriberAlreadyExists,l.TooManyInitialisationRequests].includes(e.code)))throw e;if(P)return!1;if(g(e)&&e.code===1e3)return A>0;if(!m||N>=m||!y(e))throw e;return M=!0}r||(async()=>{for(A++;;)try{let[,,e]=await F();await e}catch(e){try{if(!I(e))return}catch(e){return i?.(e)}}})();function L(e,t){let n=S(e),r=!1,i=!1,a=()=>{A--,r=!0};return(async()=>{for(A++;;)try{let[o,s,c]=await F();if(r)return c.catch(()=>{}),s();let l=D.onMessage(n,e=>{switch(e.type){case u.Next:t.next(e.payload);return;case u.Error:i=!0,r=!0,t.error(e.payload),a();return;case u.Complete:r=!0,a();return}});o.send(p({id:n,type:u.Subscribe,payload:e},C)),a=()=>{!r&&o.readyState===E.OPEN&&o.send(p({id:n,type:u.Complete},C)),A--,r=!0,s()},await c.finally(l);return}catch(e){if(!I(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:D.on,subscribe:L,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=L(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(P=!0,k){let[e]=await k;e.close(1e3,`Normal Closure`)}},terminate(){k&&D.emit(`closed`,new h)}}}var h=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function g(e){return o(e)&&`code`in e&&`reason`in e}function _(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function ee(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var v=t(n(),1),y=`env`,b=e=>new URL(e).searchParams.get(y)??``;function x(e,t){let n=new URL(e);return n.searchParams.set(y,t),n.href}function S(e){let t=new URL(e);return t.searchParams.delete(y),t.href}async function C(t,n){try{return await fetch(t,n)}catch{throw new i(e(`error.unreachable`))}}var w=t=>new i(e(`error.status`,{status:String(t)})),T=new EventTarget;function E(e){return T.addEventListener(`end`,e),()=>T.removeEventListener(`end`,e)}function D(e){return T.addEventListener(`enrol`,e),()=>T.removeEventListener(`enrol`,e)}async function O(e,t){let n=await C(`/graphql`,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json`},body:JSON.stringify({query:e.toString(),variables:t})}),i=await n.json().catch(()=>null),a=i?.errors?.[0];if(n.status===401&&T.dispatchEvent(new Event(`end`)),a)throw a.extensions?.code===`SECOND_FACTOR_MISSING`&&T.dispatchEvent(new Event(`enrol`)),r(a);if(!i?.data)throw w(n.status);return i.data}async function k(e,t){let n=await C(`/dashboard/session`,{method:e,headers:{"Content-Type":`application/json`},body:t&&JSON.stringify(t)});if(n.ok)return;let r=await n.json().catch(()=>null);throw r?.message?new i(r.message,r.code):w(n.status)}async function A(){let e=await C(`/dashboard/session`);if(!e.ok)throw w(e.status);return await e.json()}var j=(e,t,n=``)=>k(`POST`,{email:e,password:t,code:n}),M=()=>k(`DELETE`),N=new BroadcastChannel(`carillon`);N.onmessage=()=>{history.replaceState(history.state,``,S(location.href)),location.reload()};async function P(e){await k(`PUT`,{environmentId:e}),N.postMessage(`moved`)}function F(e,t,n=!1){let r=JSON.stringify(t),[i,a]=(0,v.useState)({loading:!n}),[o,s]=(0,v.useState)(0);return(0,v.useEffect)(()=>{if(n)return;let t=!0;return a(e=>({...e,loading:!0})),O(e,JSON.parse(r)).then(e=>t&&a({data:e,loading:!1}),e=>t&&a(t=>({data:t.data,error:e,loading:!1}))),()=>{t=!1}},[e,r,o,n]),{...i,reload:(0,v.useCallback)(()=>s(e=>e+1),[])}}function I(e,t){let[n,r]=(0,v.useState)({busy:!1});return{run:async n=>{r({busy:!0});try{let i=await O(e,n);return r({busy:!1}),t?.(i),!0}catch(e){return r({busy:!1,error:e}),!1}},...n,clear:()=>r({busy:!1})}}var L=m({url:()=>`${location.origin.replace(/^http/,`ws`)}/graphql`,retryAttempts:1/0,shouldRetry:()=>!0}),te=1e3;function R(e,t,n,r,i=!1){let a=JSON.stringify(t),o=(0,v.useRef)(n);o.current=n;let s=(0,v.useRef)(r);s.current=r,(0,v.useEffect)(()=>L.on(`connected`,(e,t,n)=>n&&s.current()),[]),(0,v.useEffect)(()=>{if(i)return;let t=setTimeout(()=>s.current(),te),n=L.subscribe({query:e.toString(),variables:JSON.parse(a)},{next:e=>e.data&&o.current(e.data),error:()=>{},complete:()=>{}});return()=>{clearTimeout(t),n()}},[e,a,i])}var z=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new z(`
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  dueAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
  trace {
    stepId
    channel
    reason
  }
}
    `,{fragmentName:`NotificationRow`}),new z(`
    fragment Call on Attempt {
  id
  number
  providerId
  integration {
    id
    name
  }
  outcome
  httpStatus
  code
  errorText
  class
  providerMessageId
  duplicatePossible
  createdAt
  finishedAt
}
    `,{fragmentName:`Call`}),new z(`
    fragment NotificationTrace on Notification {
  ...NotificationRow
  eventId
  workflowVersion {
    number
  }
  tenant {
    identifier
    name
  }
  topics
  contextKeys
  trace {
    at
    count
    lastAt
    stepId
    channel
    reason
    reasons
    detail
    integration {
      id
      name
    }
    messageId
    attempt
    until
    data
  }
  messages(first: 50) {
    nodes {
      id
      internalId
      stepId
      channel
      status
      target
      email
      phone
      directWebhookUrl
      deviceTokens
      providerId
      integration {
        id
        name
      }
      errorText
      providerMessageId
      receipt
      receiptAt
      attemptCount
      dueAt
      subject
      title
      content {
        text
        html
      }
      read
      seen
      createdAt
      attempts(first: 5) {
        nodes {
          ...Call
        }
      }
    }
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  dueAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
  trace {
    stepId
    channel
    reason
  }
}
fragment Call on Attempt {
  id
  number
  providerId
  integration {
    id
    name
  }
  outcome
  httpStatus
  code
  errorText
  class
  providerMessageId
  duplicatePossible
  createdAt
  finishedAt
}`,{fragmentName:`NotificationTrace`}),new z(`
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
}
    `,{fragmentName:`AlertParts`}),new z(`
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}
    `,{fragmentName:`BroadcastParts`}),new z(`
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
}
    `,{fragmentName:`Numbers`}),new z(`
    fragment ScheduleParts on TriggerSchedule {
  id
  internalId
  name
  workflow {
    identifier
    name
  }
  to {
    subscriberId
    topic {
      topicKey
      exclude
    }
    audience
  }
  payload
  perSecond
  startsAt
  timeZone
  recipientsZone
  rrule
  exceptions
  enabled
  nextRunAt
  lastRunAt
  lastStatus
  lastError
}
    `,{fragmentName:`ScheduleParts`}),new z(`
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}
    `,{fragmentName:`DayParts`}),new z(`
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
    `,{fragmentName:`FilterParts`}),new z(`
    fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
    `,{fragmentName:`InAppParts`}),new z(`
    fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
    `,{fragmentName:`EmailParts`}),new z(`
    fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}`,{fragmentName:`DefinitionParts`});var B=new z(`
    query SubscriberData {
  subscribers(first: 50) {
    nodes {
      data
    }
  }
}
    `),V=new z(`
    query StepStatistics($reference: String!) {
  workflowByReference(reference: $reference) {
    stepStatistics(hours: 168) {
      notifications
      capped
      steps {
        stepId
        reached
        sent
        failed
        skipped
        skips {
          reason
          count
        }
      }
    }
  }
}
    `),H=new z(`
    query LiveDefinition($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      number
      createdAt
      definition {
        ...DefinitionParts
      }
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),U=new z(`
    query EditorChoices {
  layouts(first: 100) {
    nodes {
      identifier
      name
      isDefault
    }
  }
  feeds(first: 100) {
    nodes {
      identifier
      name
    }
  }
  variables(first: 100) {
    nodes {
      name
      secret
    }
  }
  translations(first: 100) {
    nodes {
      locale
    }
  }
  workflows(first: 100) {
    nodes {
      identifier
      name
    }
  }
}
    `),W=new z(`
    query PastEvents($workflow: String!) {
  events(first: 10, filter: {workflow: $workflow}) {
    nodes {
      transactionId
      payload
      createdAt
    }
  }
}
    `);new z(`
    query PreviewWait($input: PreviewWaitInput!) {
  previewWait(input: $input) {
    timezone
    waits {
      begins
      ends
      extended
    }
    error
  }
}
    `);var G=new z(`
    query ActivityWorkflows {
  workflows(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      identifier
      name
    }
  }
}
    `),K=new z(`
    query SentMessages($first: Int, $after: String, $filter: MessageFilter) {
  messages(first: $first, after: $after, filter: $filter) {
    nodes {
      id
      notificationId
      createdAt
      channel
      target
      email
      phone
      directWebhookUrl
      deviceTokens
      providerId
      status
      errorText
      receipt
      workflow {
        name
      }
      subscriber {
        subscriberId
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `),q=new z(`
    query Calls($first: Int, $after: String, $filter: AttemptFilter) {
  attempts(first: $first, after: $after, filter: $filter) {
    nodes {
      id
      number
      createdAt
      finishedAt
      providerId
      outcome
      httpStatus
      code
      errorText
      integration {
        id
        name
      }
      message {
        notificationId
        target
        email
        phone
        directWebhookUrl
        deviceTokens
        channel
        workflow {
          name
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `),J=new z(`
    query ExplainRun($input: TriggerEventInput!) {
  explain(input: $input) {
    status
    error
    repeated
    recipients {
      subscriberId
      created
      reached
      reason
      status
      condition {
        text
      }
      steps {
        stepId
        type
        decision
        at
        until
        channel
        reason
        detail
        condition {
          text
        }
        message {
          integrationIdentifier
          to
          subject
          title
        }
      }
    }
  }
}
    `),Y=new z(`
    mutation CancelRun($id: ID!) {
  cancelNotification(id: $id) {
    result {
      stoppedCount
      tooLateCount
    }
  }
}
    `),X=new z(`
    query Activity($first: Int, $after: String, $filter: NotificationFilter) {
  notifications(first: $first, after: $after, filter: $filter) {
    nodes {
      ...NotificationRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  dueAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
  trace {
    stepId
    channel
    reason
  }
}`),Z=new z(`
    query Notification($id: ID!) {
  notification(id: $id) {
    ...NotificationTrace
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  dueAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
  trace {
    stepId
    channel
    reason
  }
}
fragment NotificationTrace on Notification {
  ...NotificationRow
  eventId
  workflowVersion {
    number
  }
  tenant {
    identifier
    name
  }
  topics
  contextKeys
  trace {
    at
    count
    lastAt
    stepId
    channel
    reason
    reasons
    detail
    integration {
      id
      name
    }
    messageId
    attempt
    until
    data
  }
  messages(first: 50) {
    nodes {
      id
      internalId
      stepId
      channel
      status
      target
      email
      phone
      directWebhookUrl
      deviceTokens
      providerId
      integration {
        id
        name
      }
      errorText
      providerMessageId
      receipt
      receiptAt
      attemptCount
      dueAt
      subject
      title
      content {
        text
        html
      }
      read
      seen
      createdAt
      attempts(first: 5) {
        nodes {
          ...Call
        }
      }
    }
  }
}
fragment Call on Attempt {
  id
  number
  providerId
  integration {
    id
    name
  }
  outcome
  httpStatus
  code
  errorText
  class
  providerMessageId
  duplicatePossible
  createdAt
  finishedAt
}`),Q=new z(`
    query Attempts($message: String!, $first: Int, $after: String, $last: Int, $before: String) {
  attempts(
    first: $first
    after: $after
    last: $last
    before: $before
    orderBy: {field: ID, direction: ASC}
    filter: {messageId: $message}
  ) {
    nodes {
      ...Call
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    fragment Call on Attempt {
  id
  number
  providerId
  integration {
    id
    name
  }
  outcome
  httpStatus
  code
  errorText
  class
  providerMessageId
  duplicatePossible
  createdAt
  finishedAt
}`),ne=new z(`
    query Event($id: ID!) {
  event(id: $id) {
    id
    transactionId
    kind
    status
    payload
    overrides
    notified
    failures
    requestId
    actor
    createdAt
  }
}
    `),re=new z(`
    subscription ActivityLive($filter: NotificationWatchFilter) {
  notificationUpdates(filter: $filter) {
    ...NotificationRow
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  dueAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
  trace {
    stepId
    channel
    reason
  }
}`),ie=new z(`
    subscription TraceLive($filter: NotificationWatchFilter) {
  notificationUpdates(filter: $filter) {
    ...NotificationTrace
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  dueAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
  trace {
    stepId
    channel
    reason
  }
}
fragment NotificationTrace on Notification {
  ...NotificationRow
  eventId
  workflowVersion {
    number
  }
  tenant {
    identifier
    name
  }
  topics
  contextKeys
  trace {
    at
    count
    lastAt
    stepId
    channel
    reason
    reasons
    detail
    integration {
      id
      name
    }
    messageId
    attempt
    until
    data
  }
  messages(first: 50) {
    nodes {
      id
      internalId
      stepId
      channel
      status
      target
      email
      phone
      directWebhookUrl
      deviceTokens
      providerId
      integration {
        id
        name
      }
      errorText
      providerMessageId
      receipt
      receiptAt
      attemptCount
      dueAt
      subject
      title
      content {
        text
        html
      }
      read
      seen
      createdAt
      attempts(first: 5) {
        nodes {
          ...Call
        }
      }
    }
  }
}
fragment Call on Attempt {
  id
  number
  providerId
  integration {
    id
    name
  }
  outcome
  httpStatus
  code
  errorText
  class
  providerMessageId
  duplicatePossible
  createdAt
  finishedAt
}`),ae=new z(`
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
}`),oe=new z(`
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
    `),se=new z(`
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),ce=new z(`
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
  updateAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),le=new z(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    deletedId
  }
}
    `),ue=new z(`
    mutation SilenceAlertRule($input: SilenceAlertRuleInput!) {
  silenceAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),de=new z(`
    mutation TestAlertRule($id: ID!) {
  testAlertRule(id: $id) {
    event {
      id
    }
  }
}
    `),fe=new z(`
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
    `),pe=new z(`
    query Audiences($first: Int, $after: String, $last: Int, $before: String) {
  audiences(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      identifier
      name
      topicKey
      rule
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),me=new z(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),he=new z(`
    query AudiencePreview($input: AudiencePreviewInput!) {
  audiencePreview(input: $input) {
    count
    exact
    examined
    samples {
      id
      subscriberId
      firstName
      lastName
      email
    }
  }
}
    `),ge=new z(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),_e=new z(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),ve=new z(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),ye=new z(`
    mutation TriggerAudience($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      event {
        id
        internalId
      }
    }
  }
}
    `),be=new z(`
    query Audit($first: Int, $after: String, $last: Int, $before: String, $filter: AuditEntryFilter, $organization: Boolean!) {
  auditEntries(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
    organization: $organization
  ) {
    nodes {
      id
      actorType
      actorId
      actorName
      address
      action
      recordType
      recordId
      changes
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),xe=new z(`
    query Broadcasts($first: Int, $after: String, $last: Int, $before: String) {
  underWay: events(first: 20, filter: {kindIn: [TRIGGER], statusIn: [ACCEPTED]}) {
    nodes {
      ...BroadcastParts
    }
  }
  events(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {kindIn: [BROADCAST]}
  ) {
    nodes {
      ...BroadcastParts
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}`),Se=new z(`
    mutation PaceBroadcast($input: PaceBroadcastInput!) {
  paceBroadcast(input: $input) {
    event {
      id
    }
  }
}
    `),Ce=new z(`
    mutation CancelBroadcast($transactionId: String!) {
  cancelTransaction(transactionId: $transactionId) {
    result {
      eventsStopped
      stoppedCount
    }
  }
}
    `),we=new z(`
    query BroadcastEvent($id: ID!) {
  event(id: $id) {
    ...BroadcastParts
  }
}
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}`),Te=new z(`
    query CaughtMessages($first: Int, $after: String, $last: Int, $before: String, $filter: CaughtMessageFilter) {
  caughtMessages(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      channel
      recipient
      subject
      body
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Ee=new z(`
    query CaughtMessage($id: ID!) {
  caughtMessage(id: $id) {
    id
    channel
    providerId
    recipient
    subject
    body
    html
    details
    createdAt
  }
}
    `),De=new z(`
    mutation ClearCaught {
  clearCaughtMessages {
    deletedCount
  }
}
    `),Oe=new z(`
    query Environments($first: Int, $after: String, $last: Int, $before: String) {
  environments(
    first: $first
    after: $after
    last: $last
    before: $before
    orderBy: {field: NAME, direction: ASC}
  ) {
    nodes {
      id
      identifier
      name
      type
      suspended
      defaultLocale
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),ke=new z(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),Ae=new z(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),je=new z(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),Me=new z(`
    query Keys($environmentId: ID, $first: Int, $after: String, $last: Int, $before: String) {
  apiKeys(
    environmentId: $environmentId
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      id
      name
      hint
      scopes
      successorId
      lastUsedAt
      expiresAt
      revokedAt
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Ne=new z(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),Pe=new z(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),Fe=new z(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),Ie=new z(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),Le=new z(`
    query Members($first: Int, $after: String, $last: Int, $before: String) {
  members(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      role
      user {
        id
        internalId
        email
        firstName
        lastName
        lastLoginAt
        secondFactorAt
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
    `),Re=new z(`
    query Invitations($first: Int, $after: String, $last: Int, $before: String) {
  invitations(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      email
      role
      invitedBy
      expiresAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),ze=new z(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),Be=new z(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),Ve=new z(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),He=new z(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),Ue=new z(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),We=new z(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),Ge=new z(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),Ke=new z(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),qe=new z(`
    query OrganizationKeys($first: Int, $after: String, $last: Int, $before: String) {
  organizationKeys(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      name
      hint
      scopes
      successorId
      lastUsedAt
      expiresAt
      revokedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Je=new z(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),Ye=new z(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),Xe=new z(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),Ze=new z(`
    query Integrations($first: Int, $after: String, $last: Int, $before: String, $filter: IntegrationFilter) {
  integrations(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      providerId
      channel
      active
      primary
      breaker
      breakerCause
      breakerFailures
      breakerProbeAt
      rateLimit
      learnedRate
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
    `),Qe=new z(`
    query Integration($id: ID!) {
  integration(id: $id) {
    id
    identifier
    name
    providerId
    channel
    active
    primary
    rateLimit
    inboundPath
    breaker
    breakerCause
    breakerFailures
    breakerOpenedAt
    breakerProbeAt
    configurations {
      inboundWebhookEnabled
      inboundWebhookSigningKey
    }
    conditions {
      ...FilterParts
    }
    credentials {
      apiKey
      user
      secretKey
      domain
      password
      host
      port
      region
      accountSid
      messageProfileId
      token
      from
      senderName
      projectName
      applicationId
      clientId
      baseUrl
      webhookUrl
      redirectUrl
      serviceAccount
      ipPoolName
      apiKeyRequestHeader
      secretKeyRequestHeader
      idPath
      datePath
      apiToken
      authenticationTokenKey
      instanceId
      alertUid
      title
      imageUrl
      state
      externalLink
      channelId
      phoneNumberIdentification
      accessKey
      appSid
      senderId
      tenantId
      AppIOBaseUrl
      secure
      requireTls
      ignoreTls
      hmac
      authenticateByToken
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}`),$e=new z(`
    query Providers {
  providers {
    id
    name
    channel
    credentials {
      name
      label
      kind
      required
      requiredIf
      secret
      options
      default
    }
    capabilities {
      receipts
    }
  }
}
    `),et=new z(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),tt=new z(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),nt=new z(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),rt=new z(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),it=new z(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),at=new z(`
    mutation TestIntegration($input: TestIntegrationInput!) {
  testIntegration(input: $input) {
    attempt {
      outcome
      httpStatus
      code
      errorText
      class
      providerMessageId
    }
  }
}
    `),ot=new z(`
    query Layouts($first: Int, $after: String, $last: Int, $before: String, $filter: LayoutFilter) {
  layouts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      isDefault
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
    `),st=new z(`
    query Layout($identifier: String!) {
  layoutByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    content
    isDefault
    createdAt
    updatedAt
  }
}
    `),ct=new z(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    layout {
      identifier
    }
  }
}
    `),lt=new z(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    layout {
      id
    }
  }
}
    `),ut=new z(`
    mutation DeleteLayout($id: ID!) {
  deleteLayout(id: $id) {
    deletedId
  }
}
    `),dt=new z(`
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
}`),ft=new z(`
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
    `),pt=new z(`
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
    `),mt=new z(`
    query PromotionPlan($input: PromotionInput!) {
  promotionPlan(input: $input) {
    fingerprint
    changes {
      kind
      name
      action
      fields {
        path
        words {
          change
          text
        }
      }
    }
    dependencies {
      kind
      name
      included
      neededBy {
        kind
        name
      }
    }
    issues {
      workflow
      stepId
      message
    }
  }
}
    `),ht=new z(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),gt=new z(`
    query Promotions($first: Int, $after: String, $last: Int, $before: String) {
  promotions(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      sourceIdentifier
      actorType
      actorName
      undoesId
      undoneById
      createdAt
      resources {
        kind
        name
        action
        sourceVersion
        version
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
    `),_t=new z(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),vt=new z(`
    query Suppressions($first: Int, $after: String, $last: Int, $before: String, $filter: SuppressionFilter) {
  suppressions(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      channel
      address
      reason
      detail
      createdAt
      integration {
        id
        name
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
    `),yt=new z(`
    query Receipts($first: Int, $after: String, $last: Int, $before: String, $filter: ReceiptFilter) {
  receipts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      kind
      recipient
      occurredAt
      permanent
      detail
      providerMessageId
      integration {
        id
        name
      }
      message {
        notificationId
        workflow {
          name
        }
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
    `),bt=new z(`
    query Replies($first: Int, $after: String, $last: Int, $before: String, $filter: ReplyFilter) {
  replies(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      status
      attempts
      errorText
      dueAt
      body
      createdAt
      message {
        notificationId
        workflow {
          name
        }
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
    `),xt=new z(`
    query Digests($first: Int, $after: String, $last: Int, $before: String, $filter: DigestFilter) {
  digests(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      notificationId
      workflow {
        name
      }
      subscriber {
        subscriberId
      }
      stepId
      digestKey
      status
      openedAt
      closesAt
      total
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),St=new z(`
    query Contexts($first: Int, $after: String, $last: Int, $before: String, $filter: ContextFilter) {
  contexts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      type
      identifier
      key
      data
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
    `),Ct=new z(`
    query Feeds($first: Int, $after: String, $last: Int, $before: String) {
  feeds(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      identifier
      name
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),wt=new z(`
    query PreferenceHistory($first: Int, $after: String, $last: Int, $before: String, $filter: PreferenceChangeFilter) {
  preferenceChanges(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      workflow {
        name
      }
      contextKeys
      enabled
      channels {
        inApp
        email
        sms
        push
        chat
      }
      changedBy
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Tt=new z(`
    query ExportSubscriber($subscriberId: String!, $first: Int, $after: String) {
  exportSubscriber(subscriberId: $subscriberId, first: $first, after: $after) {
    records {
      kind
      data
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `),Et=new z(`
    query Health {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
  pending: notifications(
    first: 1
    filter: {statusIn: [PENDING]}
    orderBy: {field: ID, direction: ASC}
  ) {
    totalCount
    totalCountCapped
    nodes {
      createdAt
    }
  }
  waiting: notifications(first: 1, filter: {statusIn: [WAITING]}) {
    totalCount
    totalCountCapped
  }
  parked: notifications(first: 1, filter: {statusIn: [PARKED]}) {
    totalCount
    totalCountCapped
  }
  parkedEvents: events(first: 1, filter: {statusIn: [PARKED]}) {
    totalCount
    totalCountCapped
  }
  openEvents: events(first: 1, filter: {statusIn: [ACCEPTED]}) {
    totalCount
    totalCountCapped
  }
  messages(first: 1, filter: {statusIn: [PENDING]}) {
    totalCount
    totalCountCapped
  }
  replies(first: 1, filter: {statusIn: [PENDING, FAILED]}) {
    totalCount
    totalCountCapped
  }
  digests(first: 1, filter: {statusIn: [OPEN]}) {
    totalCount
    totalCountCapped
  }
  integrations(first: 100) {
    nodes {
      id
      name
      channel
      active
      breaker
      breakerCause
      breakerProbeAt
      learnedRate
      rateLimit
      health {
        attempts
        accepted
        rejected
        unknown
        pending
      }
    }
  }
}
    `),Dt=new z(`
    mutation CreateSuppression($input: CreateSuppressionInput!) {
  createSuppression(input: $input) {
    suppression {
      id
    }
  }
}
    `),Ot=new z(`
    mutation DeleteSuppression($id: ID!) {
  deleteSuppression(id: $id) {
    deletedId
  }
}
    `),kt=new z(`
    mutation CreateContext($input: CreateContextInput!) {
  createContext(input: $input) {
    context {
      id
    }
  }
}
    `),At=new z(`
    mutation UpdateContext($input: UpdateContextInput!) {
  updateContext(input: $input) {
    context {
      id
    }
  }
}
    `),jt=new z(`
    mutation DeleteContext($id: ID!) {
  deleteContext(id: $id) {
    deletedId
  }
}
    `),Mt=new z(`
    mutation CreateFeed($input: CreateFeedInput!) {
  createFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),Nt=new z(`
    mutation UpdateFeed($input: UpdateFeedInput!) {
  updateFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),Pt=new z(`
    mutation DeleteFeed($id: ID!) {
  deleteFeed(id: $id) {
    deletedId
  }
}
    `),Ft=new z(`
    mutation EraseSubscriber($subscriberId: String!) {
  eraseSubscriber(subscriberId: $subscriberId) {
    erasure {
      rows
      done
    }
  }
}
    `),It=new z(`
    mutation ResendMessage($input: ResendMessageInput!) {
  resendMessage(input: $input) {
    copied
    duplicatePossible
    message {
      id
      internalId
    }
  }
}
    `),Lt=new z(`
    mutation ReplayNotification($input: ReplayNotificationInput!) {
  replayNotification(input: $input) {
    versionNumber
    stepIds
    notification {
      id
      internalId
    }
  }
}
    `),Rt=new z(`
    mutation Recall($input: RecallInput!) {
  recall(input: $input) {
    eventsStopped
    stoppedCount
    withdrawnCount
    recallingCount
    outOfReachCount
  }
}
    `),zt=new z(`
    mutation ReleaseDigest($input: ReleaseDigestInput!) {
  releaseDigest(input: $input) {
    events
  }
}
    `),Bt=new z(`
    mutation DropDigest($input: DropDigestInput!) {
  dropDigest(input: $input) {
    events
  }
}
    `),Vt=new z(`
    query OpenDigests($filter: DigestFilter) {
  digests(first: 10, filter: $filter) {
    nodes {
      id
      internalId
      stepId
      total
      closesAt
      notificationId
    }
  }
}
    `),Ht=new z(`
    mutation RetryMessages($input: RetryMessagesInput!) {
  retryMessages(input: $input) {
    chosen
    retried
  }
}
    `),Ut=new z(`
    mutation CancelMessageRetry($input: CancelMessageRetryInput!) {
  cancelMessageRetry(input: $input) {
    messageRetry {
      id
    }
  }
}
    `),Wt=new z(`
    mutation PauseDelivery($input: PauseDeliveryInput!) {
  pauseDelivery(input: $input) {
    events
    notifications
    messages
  }
}
    `),Gt=new z(`
    mutation ResumeDelivery($input: ResumeDeliveryInput!) {
  resumeDelivery(input: $input) {
    held
  }
}
    `),Kt=new z(`
    query Repairs {
  pauses(first: 50) {
    nodes {
      id
      internalId
      kind
      target
      targetName
      reason
      createdAt
      resumedAt
      released
      heldCount
    }
  }
  messageRetries(first: 20) {
    nodes {
      id
      internalId
      status
      perSecond
      retried
      refused
      createdAt
    }
  }
}
    `),qt=new z(`
    query Schedules($first: Int, $after: String, $last: Int, $before: String) {
  triggerSchedules(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      ...ScheduleParts
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    fragment ScheduleParts on TriggerSchedule {
  id
  internalId
  name
  workflow {
    identifier
    name
  }
  to {
    subscriberId
    topic {
      topicKey
      exclude
    }
    audience
  }
  payload
  perSecond
  startsAt
  timeZone
  recipientsZone
  rrule
  exceptions
  enabled
  nextRunAt
  lastRunAt
  lastStatus
  lastError
}`),Jt=new z(`
    query Schedule($id: ID!) {
  triggerSchedule(id: $id) {
    ...ScheduleParts
    events(first: 10) {
      ...BroadcastParts
    }
  }
}
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}
fragment ScheduleParts on TriggerSchedule {
  id
  internalId
  name
  workflow {
    identifier
    name
  }
  to {
    subscriberId
    topic {
      topicKey
      exclude
    }
    audience
  }
  payload
  perSecond
  startsAt
  timeZone
  recipientsZone
  rrule
  exceptions
  enabled
  nextRunAt
  lastRunAt
  lastStatus
  lastError
}`),Yt=new z(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),Xt=new z(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),Zt=new z(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),Qt=new z(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),$t=new z(`
    mutation RunSchedule($id: ID!) {
  runTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
    result {
      status
      error
    }
  }
}
    `),en=new z(`
    query RecipientChoices {
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
  audiences(first: 100) {
    nodes {
      identifier
    }
  }
}
    `),tn=new z(`
    query Snippets($first: Int, $after: String, $last: Int, $before: String, $filter: SnippetFilter) {
  snippets(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
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
    `),nn=new z(`
    query Snippet($identifier: String!) {
  snippetByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    content
  }
}
    `),rn=new z(`
    query SnippetUsage($identifier: String!) {
  snippetUsage(identifier: $identifier) {
    workflows {
      identifier
    }
    layouts {
      identifier
    }
    snippets {
      identifier
    }
  }
}
    `),an=new z(`
    mutation CreateSnippet($input: CreateSnippetInput!) {
  createSnippet(input: $input) {
    snippet {
      identifier
    }
  }
}
    `),on=new z(`
    mutation UpdateSnippet($input: UpdateSnippetInput!) {
  updateSnippet(input: $input) {
    snippet {
      id
    }
  }
}
    `),sn=new z(`
    mutation DeleteSnippet($id: ID!, $force: Boolean!) {
  deleteSnippet(id: $id, force: $force) {
    deletedId
  }
}
    `),cn=new z(`
    query Subscribers($first: Int, $after: String, $last: Int, $before: String, $filter: SubscriberFilter) {
  subscribers(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      subscriberId
      firstName
      lastName
      email
      phone
      isOnline
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),ln=new z(`
    query Subscriber($subscriberId: String!) {
  subscriberBySubscriberId(subscriberId: $subscriberId) {
    id
    internalId
    subscriberId
    firstName
    lastName
    email
    phone
    avatar
    locale
    timezone
    data
    isOnline
    lastOnlineAt
    createdAt
    updatedAt
    schedule {
      isEnabled
      weeklySchedule {
        monday {
          ...DayParts
        }
        tuesday {
          ...DayParts
        }
        wednesday {
          ...DayParts
        }
        thursday {
          ...DayParts
        }
        friday {
          ...DayParts
        }
        saturday {
          ...DayParts
        }
        sunday {
          ...DayParts
        }
      }
    }
    channels(first: 100) {
      nodes {
        id
        providerId
        credentials {
          webhookUrl
          deviceTokens
          channel
        }
      }
    }
  }
}
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}`),un=new z(`
    mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriber {
      subscriberId
    }
  }
}
    `),dn=new z(`
    mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    subscriber {
      id
    }
  }
}
    `),fn=new z(`
    mutation SetSchedule($input: SetScheduleInput!) {
  setSchedule(input: $input) {
    subscriber {
      id
    }
  }
}
    `),pn=new z(`
    mutation DeleteSubscriber($id: ID!) {
  deleteSubscriber(id: $id) {
    deletedId
  }
}
    `),mn=new z(`
    query Preferences($subscriberId: String!) {
  subscriberPreferences(subscriberId: $subscriberId, criticality: ALL) {
    global {
      enabled
      channels {
        email
        sms
        inApp
        chat
        push
      }
    }
    workflows {
      enabled
      channels {
        email
        sms
        inApp
        chat
        push
      }
      overrides {
        channel
        enabled
        source
      }
      workflow {
        id
        identifier
        name
        critical
      }
    }
  }
}
    `),hn=new z(`
    mutation SetGlobalPreferences($input: SetGlobalPreferencesInput!) {
  setGlobalPreferences(input: $input) {
    preference {
      enabled
    }
  }
}
    `),gn=new z(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    preferences {
      enabled
    }
  }
}
    `),_n=new z(`
    query SubscriberSubscriptions($subscriberId: String!, $first: Int, $after: String, $last: Int, $before: String) {
  subscriberSubscriptions(
    subscriberId: $subscriberId
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      id
      identifier
      name
      contextKeys
      createdAt
      topic {
        key
        name
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
    `),vn=new z(`
    query Messages($first: Int, $after: String, $last: Int, $before: String, $filter: MessageFilter) {
  messages(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      notificationId
      transactionId
      channel
      status
      target
      providerId
      errorText
      subject
      title
      read
      seen
      archived
      createdAt
      workflow {
        identifier
        name
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
    `),yn=new z(`
    query Tenants($first: Int, $after: String, $last: Int, $before: String, $filter: TenantFilter) {
  tenants(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),bn=new z(`
    query Tenant($identifier: String!) {
  tenantByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    data
    createdAt
    updatedAt
  }
}
    `),xn=new z(`
    query TenantWorkflows($tenant: String!, $first: Int, $after: String, $last: Int, $before: String) {
  tenantWorkflows(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {tenantIdentifier: $tenant}
  ) {
    nodes {
      id
      active
      preferences {
        email
        sms
        inApp
        chat
        push
      }
      workflow {
        id
        identifier
        name
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
    `),Sn=new z(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),Cn=new z(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),wn=new z(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),Tn=new z(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),En=new z(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),Dn=new z(`
    query Topics($first: Int, $after: String, $last: Int, $before: String, $filter: TopicFilter) {
  topics(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      key
      name
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),On=new z(`
    query Topic($key: String!) {
  topicByKey(key: $key) {
    id
    internalId
    key
    name
    createdAt
    updatedAt
  }
}
    `),kn=new z(`
    query TopicSubscriptions($key: String!, $first: Int, $after: String, $last: Int, $before: String) {
  subscriptions(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {topicKey: $key}
  ) {
    nodes {
      id
      identifier
      name
      contextKeys
      createdAt
      subscriber {
        subscriberId
        firstName
        lastName
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
    `),An=new z(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),jn=new z(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),Mn=new z(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),Nn=new z(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),Pn=new z(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),Fn=new z(`
    query Translations($first: Int, $after: String, $last: Int, $before: String) {
  translations(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      locale
      content
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
    `),In=new z(`
    query Translation($locale: String!) {
  translationByLocale(locale: $locale) {
    id
    locale
    content
    updatedAt
  }
  viewer {
    environment {
      defaultLocale
    }
  }
}
    `),Ln=new z(`
    query DefaultTexts($locales: [String!]) {
  translations(first: 1, filter: {localeIn: $locales}) {
    nodes {
      id
      content
    }
  }
}
    `),Rn=new z(`
    query MissingTranslations($first: Int, $after: String, $last: Int, $before: String, $filter: MissingTranslationFilter) {
  missingTranslations(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      key
      locales
      usages {
        kind
        name
        path
        line
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
    totalCount
  }
}
    `),zn=new z(`
    mutation CreateTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) {
    translation {
      locale
    }
  }
}
    `),Bn=new z(`
    mutation UpdateTranslation($input: UpdateTranslationInput!) {
  updateTranslation(input: $input) {
    translation {
      id
    }
  }
}
    `),Vn=new z(`
    mutation DeleteTranslation($id: ID!) {
  deleteTranslation(id: $id) {
    deletedId
  }
}
    `),Hn=new z(`
    query Variables($first: Int, $after: String, $last: Int, $before: String) {
  variables(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      name
      secret
      value
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
    `),Un=new z(`
    query VariableUsages($id: ID!) {
  variableUsages(id: $id) {
    kind
    name
    path
  }
}
    `),Wn=new z(`
    mutation CreateVariable($input: CreateVariableInput!) {
  createVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),Gn=new z(`
    mutation UpdateVariable($input: UpdateVariableInput!) {
  updateVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),Kn=new z(`
    mutation DeleteVariable($id: ID!, $evenIfUsed: Boolean!) {
  deleteVariable(id: $id, evenIfUsed: $evenIfUsed) {
    deletedId
  }
}
    `),qn=new z(`
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
    `),Jn=new z(`
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
    `),Yn=new z(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),Xn=new z(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),Zn=new z(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),Qn=new z(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),$n=new z(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),er=new z(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),tr=new z(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),nr=new z(`
    query Workflows($first: Int, $after: String, $last: Int, $before: String, $filter: WorkflowFilter) {
  workflows(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      active
      severity
      critical
      tags
      publishedNumber
      lastTriggeredAt
      updatedAt
      issues {
        issueType
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
    `),rr=new z(`
    query Workflow($reference: String!) {
  workflowByReference(reference: $reference) {
    id
    identifier
    name
    description
    active
    publishedNumber
    issues {
      stepId
      key
      issueType
      variableName
      message
    }
    draft {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),ir=new z(`
    query Versions($reference: String!, $first: Int, $after: String, $last: Int, $before: String) {
  workflowByReference(reference: $reference) {
    draft {
      ...DefinitionParts
    }
    versions(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
        number
        createdAt
        publishedBy
      }
      pageInfo {
        hasPreviousPage
        hasNextPage
        startCursor
        endCursor
      }
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),ar=new z(`
    query Version($id: ID!) {
  workflowVersion(id: $id) {
    number
    definition {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),or=new z(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    workflow {
      identifier
    }
  }
}
    `),sr=new z(`
    mutation SaveWorkflow($input: UpdateWorkflowInput!) {
  updateWorkflow(input: $input) {
    workflow {
      id
      name
      description
      publishedNumber
      draft {
        ...DefinitionParts
      }
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),$=new z(`
    mutation SetWorkflowActive($id: ID!, $active: Boolean!) {
  setWorkflowActive(id: $id, active: $active) {
    workflow {
      id
    }
  }
}
    `),cr=new z(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(id: $id) {
    deletedId
  }
}
    `),lr=new z(`
    query PreviewStep($input: PreviewStepInput!) {
  previewStep(input: $input) {
    subject
    avatar
    payload
    from
    senderName
    replyTo
    content {
      text
      html
    }
    cta {
      data {
        url
      }
      action {
        buttons {
          type
          content
          url
        }
      }
    }
    error
  }
}
    `),ur=new z(`
    query Explain($input: TriggerEventInput!) {
  explain(input: $input) {
    status
    error
    now
    invalid {
      path
      reason
    }
    recipients {
      subscriberId
      created
      reached
      reason
      status
      steps {
        stepId
        type
        decision
        at
        until
        channel
        reason
        detail
        condition {
          text
        }
        message {
          integrationIdentifier
          to
          subject
          content {
            text
            html
          }
        }
      }
    }
  }
}
    `),dr=new z(`
    mutation Trigger($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      transactionId
    }
  }
}
    `),fr=new z(`
    query Clock {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
}
    `),pr=new z(`
    mutation AdvanceClock($by: String!) {
  advanceClock(by: $by) {
    clock {
      now
      settled
    }
  }
}
    `),mr=new z(`
    mutation ResetClock {
  resetClock {
    clock {
      now
    }
  }
}
    `),hr=new z(`
    query Find($text: String!, $ids: [String!]!) {
  workflows(first: 6, filter: {query: $text}) {
    nodes {
      identifier
      name
    }
  }
  byId: subscribers(first: 1, filter: {subscriberIdIn: $ids, deleted: false}) {
    nodes {
      subscriberId
      firstName
      lastName
    }
  }
  byName: subscribers(first: 6, filter: {nameContains: $text, deleted: false}) {
    nodes {
      subscriberId
      firstName
      lastName
    }
  }
}
    `),gr=new z(`
    query PayloadSchema($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      definition {
        payloadSchema
      }
    }
  }
}
    `),_r=new z(`
    query WorkflowChoices {
  workflows(first: 100) {
    nodes {
      identifier
    }
  }
}
    `),vr=new z(`
    query InvitationOffer($token: String!) {
  invitationOffer(token: $token) {
    organizationName
    email
    role
    invitedBy
    expiresAt
    logInFirst
  }
}
    `),yr=new z(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    environmentId
  }
}
    `),br=new z(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email) {
    accepted
  }
}
    `),xr=new z(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    email
  }
}
    `),Sr=new z(`
    mutation BeginSecondFactor($password: String!) {
  beginSecondFactor(password: $password) {
    secret
    uri
    qrCode
  }
}
    `),Cr=new z(`
    mutation ConfirmSecondFactor($code: String!) {
  confirmSecondFactor(code: $code) {
    recoveryCodes
  }
}
    `),wr=new z(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    user {
      id
    }
  }
}
    `),Tr=new z(`
    mutation ReplaceRecoveryCodes($input: ReplaceRecoveryCodesInput!) {
  replaceRecoveryCodes(input: $input) {
    recoveryCodes
  }
}
    `),Er=new z(`
    mutation SetPassword($input: SetPasswordInput!) {
  setPassword(input: $input) {
    user {
      id
    }
  }
}
    `),Dr=new z(`
    query Viewer {
  viewer {
    role
    verifiedElsewhere
    user {
      internalId
      email
      firstName
      lastName
      secondFactorAt
    }
    environment {
      id
      internalId
      name
      identifier
      type
    }
  }
  environments(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      id
      name
      identifier
      type
    }
  }
}
    `),Or=new z(`
    mutation LogOutEverywhere {
  logOut(everywhere: true) {
    loggedOut
  }
}
    `);export{Pt as $,xn as $n,x as $r,ht as $t,ke as A,Yt as An,Gn as Ar,Ze as At,un as B,nn as Bn,rr as Br,Rn as Bt,De as C,Fe as Cn,gn as Cr,ur as Ct,se as D,$t as Dn,Cn as Dr,hr as Dt,St as E,Qn as En,dn as Er,Ct as Et,ct as F,nt as Fn,ir as Fr,ot as Ft,Wn as G,V as Gn,E as Gr,Se as Gt,Sn as H,tn as Hn,j as Hr,Vt as Ht,Je as I,fn as In,Dr as Ir,H as It,Ln as J,ln as Jn,P as Jr,gr as Jt,Yn as K,Nn as Kn,O as Kr,W as Kt,Ve as L,Tn as Ln,Jn as Lr,Or as Lt,et as M,K as Mn,Un as Mr,Re as Mt,ze as N,hn as Nn,Hn as Nr,Me as Nt,ge as O,sr as On,jn as Or,Et as Ot,Ne as P,Er as Pn,ar as Pr,st as Pt,je as Q,bn as Qn,b as Qr,lr as Qt,Xt as R,$ as Rn,qn as Rr,Le as Rt,Te as S,Xe as Sn,Ke as Sr,ne as St,Cr as T,Ye as Tn,on as Tr,Tt,An as U,pt as Un,M as Ur,Ge as Ut,Dt as V,rn as Vn,nr as Vr,Z as Vt,zn as W,dt as Wn,D as Wr,qe as Wt,ve as X,cn as Xn,R as Xr,wt as Xt,le as Y,_n as Yn,I as Yr,$n as Yt,jt as Z,vt as Zn,F as Zr,mn as Zt,q as _,mr as _n,Ae as _r,U as _t,pr as a,en as an,Dn as ar,sn as at,Y as b,Ht as bn,lt as br,Oe as bt,ae as c,Kt as cn,Fn as cr,wn as ct,he as d,tr as dn,z as dr,Vn as dt,mt as en,yn as er,rt as et,pe as f,er as fn,_t as fr,Kn as ft,xe as g,it as gn,At as gr,Bt as gt,we as h,It as hn,_e as hr,xt as ht,G as i,yt as in,kn as ir,Qt as it,Mt as j,qt as jn,Xn as jr,vr as jt,kt as k,Jt as kn,Bn as kr,Qe as kt,Q as l,Tr as ln,ye as lr,En as lt,Sr as m,br as mn,ce as mr,cr as mt,X as n,$e as nn,at as nr,ut as nt,fe as o,zt as on,ie as or,pn as ot,be as p,bt as pn,Pn as pr,Zn as pt,or as q,B as qn,A as qr,Wt as qt,re as r,Rt as rn,On as rr,We as rt,oe as s,wr as sn,In as sr,Ot as st,yr as t,gt as tn,de as tr,Be as tt,me as u,Lt as un,dr as ur,Mn as ut,Ce as v,xr as vn,Nt as vr,He as vt,fr as w,Pe as wn,Zt as wr,J as wt,Ee as x,Ie as xn,Ue as xr,Ft as xt,Ut as y,Gt as yn,tt as yr,ft as yt,an as z,ue as zn,_r as zr,vn as zt};