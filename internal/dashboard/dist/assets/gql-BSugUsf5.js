import{d as e,l as t}from"./text-BPDdWwF3.js";import{W as n,z as r}from"./button-DW5HkbBv.js";function i(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function a(e){return i(e)===`object`}function o(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function s(e,t){return e.length<124?e:t}var c=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(c||{}),l=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(l||{});function u(e){if(!a(e))throw Error(`Message is expected to be an object, but got ${i(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${i(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!a(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${i(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!a(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${i(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${i(e.payload.query)}`);if(e.payload.variables!=null&&!a(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${i(e.payload.variables)}`);if(e.payload.operationName!=null&&i(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${i(e.payload.operationName)}`);if(e.payload.extensions!=null&&!a(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${i(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${i(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!a(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${i(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${i(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${i(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function ee(e,t){return u(typeof e==`string`?JSON.parse(e,t):e)}function d(e,t){return u(e),JSON.stringify(e,t)}function f(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:u,connectionAckWaitTimeout:f=0,retryAttempts:_=5,retryWait:v=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:y=m,on:b,webSocketImpl:x,generateID:S=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:C,jsonMessageReviver:w}=e,T;if(x){if(!g(x))throw Error(`Invalid WebSocket implementation provided`);T=x}else typeof WebSocket<`u`?T=WebSocket:typeof global<`u`?T=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(T=window.WebSocket||window.MozWebSocket);if(!T)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let E=T,D=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:b?.connecting?[b.connecting]:[],opened:b?.opened?[b.opened]:[],connected:b?.connected?[b.connected]:[],ping:b?.ping?[b.ping]:[],pong:b?.pong?[b.pong]:[],message:b?.message?[e.emit,b.message]:[e.emit],closed:b?.closed?[b.closed]:[],error:b?.error?[b.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function O(e){let t=[D.on(`error`,n=>{t.forEach(e=>e()),e(n)}),D.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let k,A=0,j,M=!1,N=0,P=!1;async function F(){clearTimeout(j);let[e,r]=await(k??=new Promise((e,r)=>(async()=>{if(M){if(await v(N),!A)return k=void 0,r({code:1e3,reason:`All Subscriptions Gone`});N++}D.emit(`connecting`,M);let i=new E(typeof t==`function`?await t():t,`graphql-transport-ws`),a,m;function h(){isFinite(o)&&o>0&&(clearTimeout(m),m=setTimeout(()=>{i.readyState===E.OPEN&&(i.send(d({type:l.Ping})),D.emit(`ping`,!1,void 0))},o))}O(e=>{k=void 0,clearTimeout(a),clearTimeout(m),r(e),e instanceof p&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>D.emit(`error`,e),i.onclose=e=>D.emit(`closed`,e),i.onopen=async()=>{try{D.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==E.OPEN)return;i.send(d(e?{type:l.ConnectionInit,payload:e}:{type:l.ConnectionInit},C)),isFinite(f)&&f>0&&(a=setTimeout(()=>{i.close(c.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},f)),h()}catch(e){D.emit(`error`,e),i.close(c.InternalClientError,s(e instanceof Error?e.message:String(e),`Internal client error`))}};let g=!1;i.onmessage=({data:t})=>{try{let n=ee(t,w);if(D.emit(`message`,n),n.type===`ping`||n.type===`pong`){D.emit(n.type,!0,n.payload),n.type===`pong`?h():u||(i.send(d(n.payload?{type:l.Pong,payload:n.payload}:{type:l.Pong},C)),D.emit(`pong`,!1,n.payload));return}if(g)return;if(n.type!==l.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),g=!0,D.emit(`connected`,i,n.payload,M),M=!1,N=0;let r=new Promise((e,t)=>O(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,D.emit(`error`,e),i.close(c.BadResponse,s(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===E.CLOSING&&await r;let i=()=>{},m=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=O(n);e.readyState!==E.OPEN&&r.catch(n),m.then(()=>{if(i(),!A){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(j),j=setTimeout(()=>{!A&&e.readyState===E.OPEN&&t()},a)):t()}t()})})]}function I(e){if(m(e)&&(h(e.code)||[c.InternalServerError,c.InternalClientError,c.BadRequest,c.BadResponse,c.Unauthorized,c.SubprotocolNotAcceptable,c.SubscriberAlreadyExists,c.TooManyInitialisationRequests].includes(e.code)))throw e;if(P)return!1;if(m(e)&&e.code===1e3)return A>0;if(!_||N>=_||!y(e))throw e;return M=!0}r||(async()=>{for(A++;;)try{let[,,e]=await F();await e}catch(e){try{if(!I(e))return}catch(e){return i?.(e)}}})();function L(e,t){let n=S(e),r=!1,i=!1,a=()=>{A--,r=!0};return(async()=>{for(A++;;)try{let[o,s,c]=await F();if(r)return c.catch(()=>{}),s();let u=D.onMessage(n,e=>{switch(e.type){case l.Next:t.next(e.payload);return;case l.Error:i=!0,r=!0,t.error(e.payload),a();return;case l.Complete:r=!0,a();return}});o.send(d({id:n,type:l.Subscribe,payload:e},C)),a=()=>{!r&&o.readyState===E.OPEN&&o.send(d({id:n,type:l.Complete},C)),A--,r=!0,s()},await c.finally(u);return}catch(e){if(!I(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:D.on,subscribe:L,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=L(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(P=!0,k){let[e]=await k;e.close(1e3,`Normal Closure`)}},terminate(){k&&D.emit(`closed`,new p)}}}var p=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function m(e){return a(e)&&`code`in e&&`reason`in e}function h(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function g(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var _=e(t(),1),v=`env`,y=e=>new URL(e).searchParams.get(v)??``;function b(e,t){let n=new URL(e);return n.searchParams.set(v,t),n.href}function x(e){let t=new URL(e);return t.searchParams.delete(v),t.href}async function S(e,t){try{return await fetch(e,t)}catch{throw new r(`The server cannot be reached. Check the connection and try again.`)}}var C=e=>new r(`The server returned status ${e}. Try again in a moment.`),w=new EventTarget;function T(e){return w.addEventListener(`end`,e),()=>w.removeEventListener(`end`,e)}function E(e){return w.addEventListener(`enrol`,e),()=>w.removeEventListener(`enrol`,e)}async function D(e,t){let r=await S(`/graphql`,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json`},body:JSON.stringify({query:e.toString(),variables:t})}),i=await r.json().catch(()=>null),a=i?.errors?.[0];if(r.status===401&&w.dispatchEvent(new Event(`end`)),a)throw a.extensions?.code===`SECOND_FACTOR_MISSING`&&w.dispatchEvent(new Event(`enrol`)),n(a);if(!i?.data)throw C(r.status);return i.data}async function O(e,t){let n=await S(`/dashboard/session`,{method:e,headers:{"Content-Type":`application/json`},body:t&&JSON.stringify(t)});if(n.ok)return;let i=await n.json().catch(()=>null);throw i?.message?new r(i.message,i.code):C(n.status)}async function k(){let e=await S(`/dashboard/session`);if(!e.ok)throw C(e.status);return await e.json()}var A=(e,t,n=``)=>O(`POST`,{email:e,password:t,code:n}),j=()=>O(`DELETE`),M=new BroadcastChannel(`carillon`);M.onmessage=()=>{history.replaceState(history.state,``,x(location.href)),location.reload()};async function N(e){await O(`PUT`,{environmentId:e}),M.postMessage(`moved`)}function P(e,t,n=!1){let r=JSON.stringify(t),[i,a]=(0,_.useState)({loading:!n}),[o,s]=(0,_.useState)(0);return(0,_.useEffect)(()=>{if(n)return;let t=!0;return a(e=>({...e,loading:!0})),D(e,JSON.parse(r)).then(e=>t&&a({data:e,loading:!1}),e=>t&&a(t=>({data:t.data,error:e,loading:!1}))),()=>{t=!1}},[e,r,o,n]),{...i,reload:(0,_.useCallback)(()=>s(e=>e+1),[])}}function F(e,t){let[n,r]=(0,_.useState)({busy:!1});return{run:async n=>{r({busy:!0});try{let i=await D(e,n);return r({busy:!1}),t?.(i),!0}catch(e){return r({busy:!1,error:e}),!1}},...n,clear:()=>r({busy:!1})}}var I=f({url:()=>`${location.origin.replace(/^http/,`ws`)}/graphql`,retryAttempts:1/0,shouldRetry:()=>!0}),L=1e3;function te(e,t,n,r,i=!1){let a=JSON.stringify(t),o=(0,_.useRef)(n);o.current=n;let s=(0,_.useRef)(r);s.current=r,(0,_.useEffect)(()=>I.on(`connected`,(e,t,n)=>n&&s.current()),[]),(0,_.useEffect)(()=>{if(i)return;let t=setTimeout(()=>s.current(),L),n=I.subscribe({query:e.toString(),variables:JSON.parse(a)},{next:e=>e.data&&o.current(e.data),error:()=>{},complete:()=>{}});return()=>{clearTimeout(t),n()}},[e,a,i])}var R=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new R(`
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
    `,{fragmentName:`NotificationRow`}),new R(`
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
    `,{fragmentName:`Call`}),new R(`
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
}`,{fragmentName:`NotificationTrace`}),new R(`
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
    `,{fragmentName:`BroadcastParts`}),new R(`
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
    `,{fragmentName:`Numbers`}),new R(`
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
    `,{fragmentName:`ScheduleParts`}),new R(`
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}
    `,{fragmentName:`DayParts`}),new R(`
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
    `,{fragmentName:`FilterParts`}),new R(`
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
    `,{fragmentName:`InAppParts`}),new R(`
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
    `,{fragmentName:`EmailParts`}),new R(`
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
}`,{fragmentName:`DefinitionParts`});var z=new R(`
    query SubscriberData {
  subscribers(first: 50) {
    nodes {
      data
    }
  }
}
    `),B=new R(`
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
    `),V=new R(`
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
}`),H=new R(`
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
    `),U=new R(`
    query PastEvents($workflow: String!) {
  events(first: 10, filter: {workflow: $workflow}) {
    nodes {
      transactionId
      payload
      createdAt
    }
  }
}
    `);new R(`
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
    `);var W=new R(`
    query ActivityWorkflows {
  workflows(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      identifier
      name
    }
  }
}
    `),G=new R(`
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
    `),K=new R(`
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
    `),q=new R(`
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
    `),J=new R(`
    mutation CancelRun($id: ID!) {
  cancelNotification(id: $id) {
    result {
      stoppedCount
      tooLateCount
    }
  }
}
    `),Y=new R(`
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
}`),X=new R(`
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
}`),Z=new R(`
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
}`),Q=new R(`
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
    `),ne=new R(`
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
}`),re=new R(`
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
}`),ie=new R(`
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
    `),ae=new R(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),oe=new R(`
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
    `),se=new R(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),ce=new R(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),le=new R(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),ue=new R(`
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
    `),de=new R(`
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
    `),fe=new R(`
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
}`),pe=new R(`
    mutation PaceBroadcast($input: PaceBroadcastInput!) {
  paceBroadcast(input: $input) {
    event {
      id
    }
  }
}
    `),me=new R(`
    mutation CancelBroadcast($transactionId: String!) {
  cancelTransaction(transactionId: $transactionId) {
    result {
      eventsStopped
      stoppedCount
    }
  }
}
    `),he=new R(`
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
}`),ge=new R(`
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
    `),_e=new R(`
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
    `),ve=new R(`
    mutation ClearCaught {
  clearCaughtMessages {
    deletedCount
  }
}
    `),ye=new R(`
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
    `),be=new R(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),xe=new R(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),Se=new R(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),Ce=new R(`
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
    `),we=new R(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),Te=new R(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),Ee=new R(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),De=new R(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),Oe=new R(`
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
    `),ke=new R(`
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
    `),Ae=new R(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),je=new R(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),Me=new R(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),Ne=new R(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),Pe=new R(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),Fe=new R(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),Ie=new R(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),Le=new R(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),Re=new R(`
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
    `),ze=new R(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),Be=new R(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),Ve=new R(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),He=new R(`
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
    `),Ue=new R(`
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
}`),We=new R(`
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
    `),Ge=new R(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),Ke=new R(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),qe=new R(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),Je=new R(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),Ye=new R(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),Xe=new R(`
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
    `),Ze=new R(`
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
    `),Qe=new R(`
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
    `),$e=new R(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    layout {
      identifier
    }
  }
}
    `),et=new R(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    layout {
      id
    }
  }
}
    `),tt=new R(`
    mutation DeleteLayout($id: ID!) {
  deleteLayout(id: $id) {
    deletedId
  }
}
    `),nt=new R(`
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
}`),rt=new R(`
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
    `),it=new R(`
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
    `),at=new R(`
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
    `),ot=new R(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),st=new R(`
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
    `),ct=new R(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),lt=new R(`
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
    `),ut=new R(`
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
    `),dt=new R(`
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
    `),ft=new R(`
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
    `),pt=new R(`
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
    `),mt=new R(`
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
    `),ht=new R(`
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
    `),gt=new R(`
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
    `),_t=new R(`
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
    `),vt=new R(`
    mutation CreateSuppression($input: CreateSuppressionInput!) {
  createSuppression(input: $input) {
    suppression {
      id
    }
  }
}
    `),yt=new R(`
    mutation DeleteSuppression($id: ID!) {
  deleteSuppression(id: $id) {
    deletedId
  }
}
    `),bt=new R(`
    mutation CreateContext($input: CreateContextInput!) {
  createContext(input: $input) {
    context {
      id
    }
  }
}
    `),xt=new R(`
    mutation UpdateContext($input: UpdateContextInput!) {
  updateContext(input: $input) {
    context {
      id
    }
  }
}
    `),St=new R(`
    mutation DeleteContext($id: ID!) {
  deleteContext(id: $id) {
    deletedId
  }
}
    `),Ct=new R(`
    mutation CreateFeed($input: CreateFeedInput!) {
  createFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),wt=new R(`
    mutation UpdateFeed($input: UpdateFeedInput!) {
  updateFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),Tt=new R(`
    mutation DeleteFeed($id: ID!) {
  deleteFeed(id: $id) {
    deletedId
  }
}
    `),Et=new R(`
    mutation EraseSubscriber($subscriberId: String!) {
  eraseSubscriber(subscriberId: $subscriberId) {
    erasure {
      rows
      done
    }
  }
}
    `),Dt=new R(`
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
    `),Ot=new R(`
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
    `),kt=new R(`
    mutation Recall($input: RecallInput!) {
  recall(input: $input) {
    eventsStopped
    stoppedCount
    withdrawnCount
    recallingCount
    outOfReachCount
  }
}
    `),At=new R(`
    mutation ReleaseDigest($input: ReleaseDigestInput!) {
  releaseDigest(input: $input) {
    events
  }
}
    `),jt=new R(`
    mutation DropDigest($input: DropDigestInput!) {
  dropDigest(input: $input) {
    events
  }
}
    `),Mt=new R(`
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
    `),Nt=new R(`
    mutation RetryMessages($input: RetryMessagesInput!) {
  retryMessages(input: $input) {
    chosen
    retried
  }
}
    `),Pt=new R(`
    mutation CancelMessageRetry($input: CancelMessageRetryInput!) {
  cancelMessageRetry(input: $input) {
    messageRetry {
      id
    }
  }
}
    `),Ft=new R(`
    mutation PauseDelivery($input: PauseDeliveryInput!) {
  pauseDelivery(input: $input) {
    events
    notifications
    messages
  }
}
    `),It=new R(`
    mutation ResumeDelivery($input: ResumeDeliveryInput!) {
  resumeDelivery(input: $input) {
    held
  }
}
    `),Lt=new R(`
    query Repairs {
  pauses(first: 50) {
    nodes {
      id
      internalId
      kind
      target
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
    `),Rt=new R(`
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
}`),zt=new R(`
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
}`),Bt=new R(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),Vt=new R(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),Ht=new R(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),Ut=new R(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),Wt=new R(`
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
    `),Gt=new R(`
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
    `),Kt=new R(`
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
    `),qt=new R(`
    query Snippet($identifier: String!) {
  snippetByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    content
  }
}
    `),Jt=new R(`
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
    `),Yt=new R(`
    mutation CreateSnippet($input: CreateSnippetInput!) {
  createSnippet(input: $input) {
    snippet {
      identifier
    }
  }
}
    `),Xt=new R(`
    mutation UpdateSnippet($input: UpdateSnippetInput!) {
  updateSnippet(input: $input) {
    snippet {
      id
    }
  }
}
    `),Zt=new R(`
    mutation DeleteSnippet($id: ID!, $force: Boolean!) {
  deleteSnippet(id: $id, force: $force) {
    deletedId
  }
}
    `),Qt=new R(`
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
    `),$t=new R(`
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
}`),en=new R(`
    mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriber {
      subscriberId
    }
  }
}
    `),tn=new R(`
    mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    subscriber {
      id
    }
  }
}
    `),nn=new R(`
    mutation SetSchedule($input: SetScheduleInput!) {
  setSchedule(input: $input) {
    subscriber {
      id
    }
  }
}
    `),rn=new R(`
    mutation DeleteSubscriber($id: ID!) {
  deleteSubscriber(id: $id) {
    deletedId
  }
}
    `),an=new R(`
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
    `),on=new R(`
    mutation SetGlobalPreferences($input: SetGlobalPreferencesInput!) {
  setGlobalPreferences(input: $input) {
    preference {
      enabled
    }
  }
}
    `),sn=new R(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    preferences {
      enabled
    }
  }
}
    `),cn=new R(`
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
    `),ln=new R(`
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
    `),un=new R(`
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
    `),dn=new R(`
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
    `),fn=new R(`
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
    `),pn=new R(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),mn=new R(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),hn=new R(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),gn=new R(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),_n=new R(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),vn=new R(`
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
    `),yn=new R(`
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
    `),bn=new R(`
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
    `),xn=new R(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),Sn=new R(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),Cn=new R(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),wn=new R(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),Tn=new R(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),En=new R(`
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
    `),Dn=new R(`
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
    `),On=new R(`
    query DefaultTexts($locales: [String!]) {
  translations(first: 1, filter: {localeIn: $locales}) {
    nodes {
      id
      content
    }
  }
}
    `),kn=new R(`
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
    `),An=new R(`
    mutation CreateTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) {
    translation {
      locale
    }
  }
}
    `),jn=new R(`
    mutation UpdateTranslation($input: UpdateTranslationInput!) {
  updateTranslation(input: $input) {
    translation {
      id
    }
  }
}
    `),Mn=new R(`
    mutation DeleteTranslation($id: ID!) {
  deleteTranslation(id: $id) {
    deletedId
  }
}
    `),Nn=new R(`
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
    `),Pn=new R(`
    query VariableUsages($id: ID!) {
  variableUsages(id: $id) {
    kind
    name
    path
  }
}
    `),Fn=new R(`
    mutation CreateVariable($input: CreateVariableInput!) {
  createVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),In=new R(`
    mutation UpdateVariable($input: UpdateVariableInput!) {
  updateVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),Ln=new R(`
    mutation DeleteVariable($id: ID!, $evenIfUsed: Boolean!) {
  deleteVariable(id: $id, evenIfUsed: $evenIfUsed) {
    deletedId
  }
}
    `),Rn=new R(`
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
    `),zn=new R(`
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
    `),Bn=new R(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),Vn=new R(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),Hn=new R(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),Un=new R(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),Wn=new R(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),Gn=new R(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),Kn=new R(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),qn=new R(`
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
    `),Jn=new R(`
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
}`),Yn=new R(`
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
}`),Xn=new R(`
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
}`),Zn=new R(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    workflow {
      identifier
    }
  }
}
    `),Qn=new R(`
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
}`),$n=new R(`
    mutation SetWorkflowActive($id: ID!, $active: Boolean!) {
  setWorkflowActive(id: $id, active: $active) {
    workflow {
      id
    }
  }
}
    `),er=new R(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(id: $id) {
    deletedId
  }
}
    `),$=new R(`
    query PreviewStep($input: PreviewStepInput!) {
  previewStep(input: $input) {
    subject
    avatar
    payload
    from
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
    `),tr=new R(`
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
    `),nr=new R(`
    mutation Trigger($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      transactionId
    }
  }
}
    `),rr=new R(`
    query Clock {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
}
    `),ir=new R(`
    mutation AdvanceClock($by: String!) {
  advanceClock(by: $by) {
    clock {
      now
      settled
    }
  }
}
    `),ar=new R(`
    mutation ResetClock {
  resetClock {
    clock {
      now
    }
  }
}
    `),or=new R(`
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
    `),sr=new R(`
    query PayloadSchema($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      definition {
        payloadSchema
      }
    }
  }
}
    `),cr=new R(`
    query WorkflowChoices {
  workflows(first: 100) {
    nodes {
      identifier
    }
  }
}
    `),lr=new R(`
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
    `),ur=new R(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    environmentId
  }
}
    `),dr=new R(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email) {
    accepted
  }
}
    `),fr=new R(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    email
  }
}
    `),pr=new R(`
    mutation BeginSecondFactor($password: String!) {
  beginSecondFactor(password: $password) {
    secret
    uri
    qrCode
  }
}
    `),mr=new R(`
    mutation ConfirmSecondFactor($code: String!) {
  confirmSecondFactor(code: $code) {
    recoveryCodes
  }
}
    `),hr=new R(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    user {
      id
    }
  }
}
    `),gr=new R(`
    mutation ReplaceRecoveryCodes($input: ReplaceRecoveryCodesInput!) {
  replaceRecoveryCodes(input: $input) {
    recoveryCodes
  }
}
    `),_r=new R(`
    mutation SetPassword($input: SetPasswordInput!) {
  setPassword(input: $input) {
    user {
      id
    }
  }
}
    `),vr=new R(`
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
    `),yr=new R(`
    mutation LogOutEverywhere {
  logOut(everywhere: true) {
    loggedOut
  }
}
    `);export{Ut as $,re as $n,ut as $t,we as A,qe as An,cr as Ar,Ze as At,An as B,wn as Bn,F as Br,pe as Bt,pt as C,Qn as Cn,Pn as Cr,_t as Ct,Ct as D,G as Dn,vr as Dr,ke as Dt,be as E,Rt as En,Yn as Er,lr as Et,Yt as F,Jt as Fn,E as Fr,kn as Ft,le as G,lt as Gn,ht as Gt,Bn as H,$t as Hn,P as Hr,Ft as Ht,en as I,Kt as In,T as Ir,X as It,Tt as J,un as Jn,ot as Jt,St as K,dn as Kn,an as Kt,vt as L,it as Ln,D as Lr,Mt as Lt,ze as M,gn as Mn,qn as Mr,yr as Mt,Me as N,$n as Nn,A as Nr,Oe as Nt,Ge as O,on as On,zn as Or,Ce as Ot,Vt as P,qt as Pn,j as Pr,ln as Pt,Fe as Q,vn as Qn,kt as Qt,pn as R,nt as Rn,k as Rr,Ie as Rt,mr as S,Wt as Sn,Vn as Sr,or as St,bt as T,Bt as Tn,Xn as Tr,He as Tt,Zn as U,cn as Un,y as Ur,sr as Ut,Fn as V,z as Vn,te as Vr,U as Vt,On as W,Qt as Wn,b as Wr,Wn as Wt,je as X,yn as Xn,st as Xt,Je as Y,Xe as Yn,at as Yt,tt as Z,bn as Zn,We as Zt,J as _,Ve as _n,tn as _r,Q as _t,ir as a,Ot as an,Tn as ar,Cn as at,ve as b,Be as bn,jn as br,gt as bt,oe as c,dt as cn,xe as cr,Hn as ct,pr as d,Ye as dn,et as dr,jt as dt,Gt as en,Dn as er,Zt as et,he as f,ar as fn,Pe as fr,H as ft,Pt as g,De as gn,Xt as gr,Et as gt,me as h,Nt as hn,Ht as hr,ye as ht,W as i,gr as in,ct as ir,_n as it,$e as j,nn as jn,Jn as jr,V as jt,Ae as k,_r as kn,Rn as kr,Qe as kt,ie as l,dr as ln,wt as lr,er as lt,K as m,It as mn,sn as mr,rt as mt,Y as n,hr as nn,ue as nr,yt as nt,Z as o,Kn as on,ce as or,Mn as ot,fe as p,fr as pn,Le as pr,Ne as pt,Se as q,fn as qn,$ as qt,ne as r,Lt as rn,nr as rr,hn as rt,ae as s,Gn as sn,xt as sr,Ln as st,ur as t,At as tn,En as tr,rn as tt,de as u,Dt as un,Ke as ur,ft as ut,_e as v,Ee as vn,mn as vr,tr as vt,se as w,zt as wn,Nn as wr,Ue as wt,rr as x,Un as xn,In as xr,mt as xt,ge as y,Te as yn,Sn as yr,q as yt,xn as z,B as zn,N as zr,Re as zt};