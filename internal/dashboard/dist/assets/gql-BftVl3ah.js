import{c as e,f as t,u as n}from"./jsx-runtime-DrwkWiHQ.js";import{o as r,t as i}from"./errors-BkjazhIB.js";function a(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function o(e){return a(e)===`object`}function s(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function c(e,t){return e.length<124?e:t}var l=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(l||{}),u=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(u||{});function d(e){if(!o(e))throw Error(`Message is expected to be an object, but got ${a(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${a(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${a(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${a(e.payload.query)}`);if(e.payload.variables!=null&&!o(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${a(e.payload.variables)}`);if(e.payload.operationName!=null&&a(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${a(e.payload.operationName)}`);if(e.payload.extensions!=null&&!o(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${a(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!o(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${a(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!s(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${a(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function ee(e,t){return d(typeof e==`string`?JSON.parse(e,t):e)}function f(e,t){return d(e),JSON.stringify(e,t)}function p(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:d=0,retryAttempts:p=5,retryWait:v=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:y=h,on:b,webSocketImpl:x,generateID:S=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:C,jsonMessageReviver:w}=e,T;if(x){if(!_(x))throw Error(`Invalid WebSocket implementation provided`);T=x}else typeof WebSocket<`u`?T=WebSocket:typeof global<`u`?T=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(T=window.WebSocket||window.MozWebSocket);if(!T)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let E=T,D=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:b?.connecting?[b.connecting]:[],opened:b?.opened?[b.opened]:[],connected:b?.connected?[b.connected]:[],ping:b?.ping?[b.ping]:[],pong:b?.pong?[b.pong]:[],message:b?.message?[e.emit,b.message]:[e.emit],closed:b?.closed?[b.closed]:[],error:b?.error?[b.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function O(e){let t=[D.on(`error`,n=>{t.forEach(e=>e()),e(n)}),D.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let k,A=0,j,M=!1,N=0,P=!1;async function F(){clearTimeout(j);let[e,r]=await(k??=new Promise((e,r)=>(async()=>{if(M){if(await v(N),!A)return k=void 0,r({code:1e3,reason:`All Subscriptions Gone`});N++}D.emit(`connecting`,M);let i=new E(typeof t==`function`?await t():t,`graphql-transport-ws`),a,p;function h(){isFinite(o)&&o>0&&(clearTimeout(p),p=setTimeout(()=>{i.readyState===E.OPEN&&(i.send(f({type:u.Ping})),D.emit(`ping`,!1,void 0))},o))}O(e=>{k=void 0,clearTimeout(a),clearTimeout(p),r(e),e instanceof m&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>D.emit(`error`,e),i.onclose=e=>D.emit(`closed`,e),i.onopen=async()=>{try{D.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==E.OPEN)return;i.send(f(e?{type:u.ConnectionInit,payload:e}:{type:u.ConnectionInit},C)),isFinite(d)&&d>0&&(a=setTimeout(()=>{i.close(l.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},d)),h()}catch(e){D.emit(`error`,e),i.close(l.InternalClientError,c(e instanceof Error?e.message:String(e),`Internal client error`))}};let g=!1;i.onmessage=({data:t})=>{try{let n=ee(t,w);if(D.emit(`message`,n),n.type===`ping`||n.type===`pong`){D.emit(n.type,!0,n.payload),n.type===`pong`?h():s||(i.send(f(n.payload?{type:u.Pong,payload:n.payload}:{type:u.Pong},C)),D.emit(`pong`,!1,n.payload));return}if(g)return;if(n.type!==u.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),g=!0,D.emit(`connected`,i,n.payload,M),M=!1,N=0;let r=new Promise((e,t)=>O(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,D.emit(`error`,e),i.close(l.BadResponse,c(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===E.CLOSING&&await r;let i=()=>{},p=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=O(n);e.readyState!==E.OPEN&&r.catch(n),p.then(()=>{if(i(),!A){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(j),j=setTimeout(()=>{!A&&e.readyState===E.OPEN&&t()},a)):t()}t()})})]}function I(e){if(h(e)&&(g(e.code)||[l.InternalServerError,l.InternalClientError,l.BadRequest,l.BadResponse,l.Unauthorized,l.SubprotocolNotAcceptable,l.SubscriberAlreadyExists,l.TooManyInitialisationRequests].includes(e.code)))throw e;if(P)return!1;if(h(e)&&e.code===1e3)return A>0;if(!p||N>=p||!y(e))throw e;return M=!0}r||(async()=>{for(A++;;)try{let[,,e]=await F();await e}catch(e){try{if(!I(e))return}catch(e){return i?.(e)}}})();function L(e,t){let n=S(e),r=!1,i=!1,a=()=>{A--,r=!0};return(async()=>{for(A++;;)try{let[o,s,c]=await F();if(r)return c.catch(()=>{}),s();let l=D.onMessage(n,e=>{switch(e.type){case u.Next:t.next(e.payload);return;case u.Error:i=!0,r=!0,t.error(e.payload),a();return;case u.Complete:r=!0,a();return}});o.send(f({id:n,type:u.Subscribe,payload:e},C)),a=()=>{!r&&o.readyState===E.OPEN&&o.send(f({id:n,type:u.Complete},C)),A--,r=!0,s()},await c.finally(l);return}catch(e){if(!I(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:D.on,subscribe:L,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=L(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(P=!0,k){let[e]=await k;e.close(1e3,`Normal Closure`)}},terminate(){k&&D.emit(`closed`,new m)}}}var m=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function h(e){return o(e)&&`code`in e&&`reason`in e}function g(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function _(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var v=t(n(),1),y=`env`,b=e=>new URL(e).searchParams.get(y)??``;function x(e,t){let n=new URL(e);return n.searchParams.set(y,t),n.href}function S(e){let t=new URL(e);return t.searchParams.delete(y),t.href}async function C(t,n){try{return await fetch(t,n)}catch{throw new i(e(`error.unreachable`))}}var w=new AbortController,T=new Promise(()=>{}),E=t=>new i(e(`error.status`,{status:String(t)})),D=new EventTarget;function O(e){return D.addEventListener(`end`,e),()=>D.removeEventListener(`end`,e)}function k(e){return D.addEventListener(`enrol`,e),()=>D.removeEventListener(`enrol`,e)}async function A(t,n){let a=t.toString(),o=/^\s*query\b/.test(a)?w.signal:null,s=await C(`/graphql`,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json`},body:JSON.stringify({query:a,variables:n}),signal:o}).catch(e=>o?.aborted?T:Promise.reject(e)),c=await s.json().catch(()=>null);if(o?.aborted)return T;let l=c?.errors?.[0];if(s.status===401)throw D.dispatchEvent(new Event(`end`)),new i(e(`error.signedOut`),l?.extensions?.code);if(l)throw l.extensions?.code===`SECOND_FACTOR_MISSING`&&D.dispatchEvent(new Event(`enrol`)),r(l);if(!c?.data)throw E(s.status);return c.data}async function j(e,t){let n=await C(`/dashboard/session`,{method:e,headers:{"Content-Type":`application/json`},body:t&&JSON.stringify(t)});if(n.ok)return;let r=await n.json().catch(()=>null);throw r?.message?new i(r.message,r.code):E(n.status)}async function M(){let e=await C(`/dashboard/session`);if(!e.ok)throw E(e.status);return await e.json()}var N=(e,t,n=``)=>j(`POST`,{email:e,password:t,code:n});function P(){return w.abort(),R.dispose(),j(`DELETE`)}var F=new BroadcastChannel(`carillon`);F.onmessage=()=>{history.replaceState(history.state,``,S(location.href)),location.reload()};async function I(e){await j(`PUT`,{environmentId:e}),F.postMessage(`moved`)}function L(e,t,n=!1){let r=JSON.stringify(t),[i,a]=(0,v.useState)({loading:!n}),[o,s]=(0,v.useState)(0);return(0,v.useEffect)(()=>{if(n)return;let t=!0;return a(e=>({...e,loading:!0})),A(e,JSON.parse(r)).then(e=>t&&a({data:e,loading:!1}),e=>t&&a(t=>({data:t.data,error:e,loading:!1}))),()=>{t=!1}},[e,r,o,n]),{...i,reload:(0,v.useCallback)(()=>s(e=>e+1),[])}}function te(e,t){let[n,r]=(0,v.useState)({busy:!1});return{run:async n=>{r({busy:!0});try{let i=await A(e,n);return r({busy:!1}),t?.(i),!0}catch(e){return r({busy:!1,error:e}),!1}},...n,clear:()=>r({busy:!1})}}var R=p({url:()=>`${location.origin.replace(/^http/,`ws`)}/graphql`,retryAttempts:1/0,shouldRetry:()=>!0}),z=1e3;function B(e,t,n,r,i=!1){let a=JSON.stringify(t),o=(0,v.useRef)(n);o.current=n;let s=(0,v.useRef)(r);s.current=r,(0,v.useEffect)(()=>R.on(`connected`,(e,t,n)=>n&&s.current()),[]),(0,v.useEffect)(()=>{if(i)return;let t=setTimeout(()=>s.current(),z),n=R.subscribe({query:e.toString(),variables:JSON.parse(a)},{next:e=>e.data&&o.current(e.data),error:()=>{},complete:()=>{}});return()=>{clearTimeout(t),n()}},[e,a,i])}var V=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new V(`
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
    `,{fragmentName:`NotificationRow`}),new V(`
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
    `,{fragmentName:`Call`}),new V(`
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
}`,{fragmentName:`NotificationTrace`}),new V(`
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
    `,{fragmentName:`AlertParts`}),new V(`
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
    `,{fragmentName:`BroadcastParts`}),new V(`
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
    `,{fragmentName:`Numbers`}),new V(`
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
    `,{fragmentName:`ScheduleParts`}),new V(`
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}
    `,{fragmentName:`DayParts`}),new V(`
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
    `,{fragmentName:`FilterParts`}),new V(`
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
    `,{fragmentName:`InAppParts`}),new V(`
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
    `,{fragmentName:`EmailParts`}),new V(`
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
}`,{fragmentName:`DefinitionParts`});var H=new V(`
    query SubscriberData {
  subscribers(first: 50) {
    nodes {
      data
    }
  }
}
    `),U=new V(`
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
    `),W=new V(`
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
}`),G=new V(`
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
    `),K=new V(`
    query PastEvents($workflow: String!) {
  events(first: 10, filter: {workflow: $workflow}) {
    nodes {
      transactionId
      payload
      createdAt
    }
  }
}
    `);new V(`
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
    `);var q=new V(`
    query ActivityWorkflows {
  workflows(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      identifier
      name
    }
  }
}
    `),J=new V(`
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
    `),Y=new V(`
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
    `),X=new V(`
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
    `),Z=new V(`
    mutation CancelRun($id: ID!) {
  cancelNotification(id: $id) {
    result {
      stoppedCount
      tooLateCount
    }
  }
}
    `),Q=new V(`
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
}`),ne=new V(`
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
}`),re=new V(`
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
}`),ie=new V(`
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
    `),ae=new V(`
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
}`),oe=new V(`
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
}`),se=new V(`
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
}`),ce=new V(`
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
    `),le=new V(`
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),ue=new V(`
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
  updateAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),de=new V(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    deletedId
  }
}
    `),fe=new V(`
    mutation SilenceAlertRule($input: SilenceAlertRuleInput!) {
  silenceAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),pe=new V(`
    mutation TestAlertRule($id: ID!) {
  testAlertRule(id: $id) {
    event {
      id
    }
  }
}
    `),me=new V(`
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
    `),he=new V(`
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
    `),ge=new V(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),_e=new V(`
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
    `),ve=new V(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),ye=new V(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),be=new V(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),xe=new V(`
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
    `),Se=new V(`
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
    `),Ce=new V(`
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
}`),we=new V(`
    mutation PaceBroadcast($input: PaceBroadcastInput!) {
  paceBroadcast(input: $input) {
    event {
      id
    }
  }
}
    `),Te=new V(`
    mutation CancelBroadcast($transactionId: String!) {
  cancelTransaction(transactionId: $transactionId) {
    result {
      eventsStopped
      stoppedCount
    }
  }
}
    `),Ee=new V(`
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
}`),De=new V(`
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
    `),Oe=new V(`
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
    `),ke=new V(`
    mutation ClearCaught {
  clearCaughtMessages {
    deletedCount
  }
}
    `),Ae=new V(`
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
    `),je=new V(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),Me=new V(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),Ne=new V(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),Pe=new V(`
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
    `),Fe=new V(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),Ie=new V(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),Le=new V(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),Re=new V(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),ze=new V(`
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
    `),Be=new V(`
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
    `),Ve=new V(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),He=new V(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),Ue=new V(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),We=new V(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),Ge=new V(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),Ke=new V(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),qe=new V(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),Je=new V(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),Ye=new V(`
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
    `),Xe=new V(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),Ze=new V(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),Qe=new V(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),$e=new V(`
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
    `),et=new V(`
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
}`),tt=new V(`
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
    `),nt=new V(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),rt=new V(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),it=new V(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),at=new V(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),ot=new V(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),st=new V(`
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
    `),ct=new V(`
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
    `),lt=new V(`
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
    `),ut=new V(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    layout {
      identifier
    }
  }
}
    `),dt=new V(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    layout {
      id
    }
  }
}
    `),ft=new V(`
    mutation DeleteLayout($id: ID!) {
  deleteLayout(id: $id) {
    deletedId
  }
}
    `),pt=new V(`
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
}`),mt=new V(`
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
    `),ht=new V(`
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
    `),gt=new V(`
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
    `),_t=new V(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),vt=new V(`
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
    `),yt=new V(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),bt=new V(`
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
    `),xt=new V(`
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
    `),St=new V(`
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
    `),Ct=new V(`
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
    `),wt=new V(`
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
    `),Tt=new V(`
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
    `),Et=new V(`
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
    `),Dt=new V(`
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
    `),Ot=new V(`
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
    `),kt=new V(`
    mutation CreateSuppression($input: CreateSuppressionInput!) {
  createSuppression(input: $input) {
    suppression {
      id
    }
  }
}
    `),At=new V(`
    mutation DeleteSuppression($id: ID!) {
  deleteSuppression(id: $id) {
    deletedId
  }
}
    `),jt=new V(`
    mutation CreateContext($input: CreateContextInput!) {
  createContext(input: $input) {
    context {
      id
    }
  }
}
    `),Mt=new V(`
    mutation UpdateContext($input: UpdateContextInput!) {
  updateContext(input: $input) {
    context {
      id
    }
  }
}
    `),Nt=new V(`
    mutation DeleteContext($id: ID!) {
  deleteContext(id: $id) {
    deletedId
  }
}
    `),Pt=new V(`
    mutation CreateFeed($input: CreateFeedInput!) {
  createFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),Ft=new V(`
    mutation UpdateFeed($input: UpdateFeedInput!) {
  updateFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),It=new V(`
    mutation DeleteFeed($id: ID!) {
  deleteFeed(id: $id) {
    deletedId
  }
}
    `),Lt=new V(`
    mutation EraseSubscriber($subscriberId: String!) {
  eraseSubscriber(subscriberId: $subscriberId) {
    erasure {
      rows
      done
    }
  }
}
    `),Rt=new V(`
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
    `),zt=new V(`
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
    `),Bt=new V(`
    mutation Recall($input: RecallInput!) {
  recall(input: $input) {
    eventsStopped
    stoppedCount
    withdrawnCount
    recallingCount
    outOfReachCount
  }
}
    `),Vt=new V(`
    mutation ReleaseDigest($input: ReleaseDigestInput!) {
  releaseDigest(input: $input) {
    events
  }
}
    `),Ht=new V(`
    mutation DropDigest($input: DropDigestInput!) {
  dropDigest(input: $input) {
    events
  }
}
    `),Ut=new V(`
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
    `),Wt=new V(`
    mutation RetryMessages($input: RetryMessagesInput!) {
  retryMessages(input: $input) {
    chosen
    retried
  }
}
    `),Gt=new V(`
    mutation CancelMessageRetry($input: CancelMessageRetryInput!) {
  cancelMessageRetry(input: $input) {
    messageRetry {
      id
    }
  }
}
    `),Kt=new V(`
    mutation PauseDelivery($input: PauseDeliveryInput!) {
  pauseDelivery(input: $input) {
    events
    notifications
    messages
  }
}
    `),qt=new V(`
    mutation ResumeDelivery($input: ResumeDeliveryInput!) {
  resumeDelivery(input: $input) {
    held
  }
}
    `),Jt=new V(`
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
    `),Yt=new V(`
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
}`),Xt=new V(`
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
}`),Zt=new V(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),Qt=new V(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),$t=new V(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),en=new V(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),tn=new V(`
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
    `),nn=new V(`
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
    `),rn=new V(`
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
    `),an=new V(`
    query Snippet($identifier: String!) {
  snippetByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    content
  }
}
    `),on=new V(`
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
    `),sn=new V(`
    mutation CreateSnippet($input: CreateSnippetInput!) {
  createSnippet(input: $input) {
    snippet {
      identifier
    }
  }
}
    `),cn=new V(`
    mutation UpdateSnippet($input: UpdateSnippetInput!) {
  updateSnippet(input: $input) {
    snippet {
      id
    }
  }
}
    `),ln=new V(`
    mutation DeleteSnippet($id: ID!, $force: Boolean!) {
  deleteSnippet(id: $id, force: $force) {
    deletedId
  }
}
    `),un=new V(`
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
    `),dn=new V(`
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
}`),fn=new V(`
    mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriber {
      subscriberId
    }
  }
}
    `),pn=new V(`
    mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    subscriber {
      id
    }
  }
}
    `),mn=new V(`
    mutation SetSchedule($input: SetScheduleInput!) {
  setSchedule(input: $input) {
    subscriber {
      id
    }
  }
}
    `),hn=new V(`
    mutation DeleteSubscriber($id: ID!) {
  deleteSubscriber(id: $id) {
    deletedId
  }
}
    `),gn=new V(`
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
    `),_n=new V(`
    mutation SetGlobalPreferences($input: SetGlobalPreferencesInput!) {
  setGlobalPreferences(input: $input) {
    preference {
      enabled
    }
  }
}
    `),vn=new V(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    preferences {
      enabled
    }
  }
}
    `),yn=new V(`
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
    `),bn=new V(`
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
    `),xn=new V(`
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
    `),Sn=new V(`
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
    `),Cn=new V(`
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
    `),wn=new V(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),Tn=new V(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),En=new V(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),Dn=new V(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),On=new V(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),kn=new V(`
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
    `),An=new V(`
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
    `),jn=new V(`
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
    `),Mn=new V(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),Nn=new V(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),Pn=new V(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),Fn=new V(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),In=new V(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),Ln=new V(`
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
    `),Rn=new V(`
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
    `),zn=new V(`
    query DefaultTexts($locales: [String!]) {
  translations(first: 1, filter: {localeIn: $locales}) {
    nodes {
      id
      content
    }
  }
}
    `),Bn=new V(`
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
    `),Vn=new V(`
    mutation CreateTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) {
    translation {
      locale
    }
  }
}
    `),Hn=new V(`
    mutation UpdateTranslation($input: UpdateTranslationInput!) {
  updateTranslation(input: $input) {
    translation {
      id
    }
  }
}
    `),Un=new V(`
    mutation DeleteTranslation($id: ID!) {
  deleteTranslation(id: $id) {
    deletedId
  }
}
    `),Wn=new V(`
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
    `),Gn=new V(`
    query VariableUsages($id: ID!) {
  variableUsages(id: $id) {
    kind
    name
    path
  }
}
    `),Kn=new V(`
    mutation CreateVariable($input: CreateVariableInput!) {
  createVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),qn=new V(`
    mutation UpdateVariable($input: UpdateVariableInput!) {
  updateVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),Jn=new V(`
    mutation DeleteVariable($id: ID!, $evenIfUsed: Boolean!) {
  deleteVariable(id: $id, evenIfUsed: $evenIfUsed) {
    deletedId
  }
}
    `),Yn=new V(`
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
    `),Xn=new V(`
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
    `),Zn=new V(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),Qn=new V(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),$n=new V(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),er=new V(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),tr=new V(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),nr=new V(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),rr=new V(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),ir=new V(`
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
    `),ar=new V(`
    query Workflow($reference: String!) {
  workflowByReference(reference: $reference) {
    id
    identifier
    name
    description
    active
    publishedNumber
    draftRevision
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
}`),or=new V(`
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
}`),sr=new V(`
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
}`),$=new V(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    workflow {
      identifier
    }
  }
}
    `),cr=new V(`
    mutation SaveWorkflow($input: UpdateWorkflowInput!) {
  updateWorkflow(input: $input) {
    workflow {
      id
      name
      description
      publishedNumber
      draftRevision
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
}`),lr=new V(`
    mutation SetWorkflowActive($id: ID!, $active: Boolean!) {
  setWorkflowActive(id: $id, active: $active) {
    workflow {
      id
    }
  }
}
    `),ur=new V(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(id: $id) {
    deletedId
  }
}
    `),dr=new V(`
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
    `),fr=new V(`
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
    `),pr=new V(`
    mutation Trigger($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      transactionId
    }
  }
}
    `),mr=new V(`
    query Clock {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
}
    `),hr=new V(`
    mutation AdvanceClock($by: String!) {
  advanceClock(by: $by) {
    clock {
      now
      settled
    }
  }
}
    `),gr=new V(`
    mutation ResetClock {
  resetClock {
    clock {
      now
    }
  }
}
    `),_r=new V(`
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
    `),vr=new V(`
    query PayloadSchema($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      definition {
        payloadSchema
      }
    }
  }
}
    `),yr=new V(`
    query WorkflowChoices {
  workflows(first: 100) {
    nodes {
      identifier
    }
  }
}
    `),br=new V(`
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
    `),xr=new V(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    environmentId
  }
}
    `),Sr=new V(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email) {
    accepted
  }
}
    `),Cr=new V(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    email
  }
}
    `),wr=new V(`
    mutation BeginSecondFactor($password: String!) {
  beginSecondFactor(password: $password) {
    secret
    uri
    qrCode
  }
}
    `),Tr=new V(`
    mutation ConfirmSecondFactor($code: String!) {
  confirmSecondFactor(code: $code) {
    recoveryCodes
  }
}
    `),Er=new V(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    user {
      id
    }
  }
}
    `),Dr=new V(`
    mutation ReplaceRecoveryCodes($input: ReplaceRecoveryCodesInput!) {
  replaceRecoveryCodes(input: $input) {
    recoveryCodes
  }
}
    `),Or=new V(`
    mutation SetPassword($input: SetPasswordInput!) {
  setPassword(input: $input) {
    user {
      id
    }
  }
}
    `),kr=new V(`
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
    `),Ar=new V(`
    mutation LogOutEverywhere {
  logOut(everywhere: true) {
    loggedOut
  }
}
    `);export{It as $,Cn as $n,x as $r,_t as $t,je as A,Zt as An,qn as Ar,$e as At,fn as B,an as Bn,ar as Br,Bn as Bt,ke as C,Le as Cn,vn as Cr,fr as Ct,le as D,tn as Dn,Tn as Dr,_r as Dt,wt as E,er as En,pn as Er,Tt as Et,ut as F,it as Fn,or as Fr,ct as Ft,Kn as G,U as Gn,O as Gr,we as Gt,wn as H,rn as Hn,N as Hr,Ut as Ht,Xe as I,mn as In,kr as Ir,W as It,zn as J,dn as Jn,I as Jr,vr as Jt,Zn as K,Fn as Kn,A as Kr,K as Kt,Ue as L,Dn as Ln,Xn as Lr,Ar as Lt,nt as M,J as Mn,Gn as Mr,Be as Mt,Ve as N,_n as Nn,Wn as Nr,Pe as Nt,ve as O,cr as On,Nn as Or,Ot,Fe as P,Or as Pn,sr as Pr,lt as Pt,Ne as Q,Sn as Qn,b as Qr,dr as Qt,Qt as R,lr as Rn,Yn as Rr,ze as Rt,De as S,Qe as Sn,Je as Sr,ie as St,Tr as T,Ze as Tn,cn as Tr,Dt as Tt,Mn as U,ht as Un,P as Ur,qe as Ut,kt as V,on as Vn,ir as Vr,ne as Vt,Vn as W,pt as Wn,k as Wr,Ye as Wt,be as X,un as Xn,B as Xr,Et as Xt,de as Y,yn as Yn,te as Yr,tr as Yt,Nt as Z,bt as Zn,L as Zr,gn as Zt,Y as _,gr as _n,Me as _r,G as _t,hr as a,nn as an,kn as ar,ln as at,Z as b,Wt as bn,dt as br,Ae as bt,se as c,Jt as cn,Ln as cr,En as ct,_e as d,rr as dn,V as dr,Un as dt,gt as en,xn as er,at as et,he as f,nr as fn,yt as fr,Jn as ft,Ce as g,ot as gn,Mt as gr,Ht as gt,Ee as h,Rt as hn,ye as hr,Ct as ht,q as i,xt as in,jn as ir,en as it,Pt as j,Yt as jn,Qn as jr,br as jt,jt as k,Xt as kn,Hn as kr,et as kt,re as l,Dr as ln,xe as lr,On as lt,wr as m,Sr as mn,ue as mr,ur as mt,Q as n,tt as nn,st as nr,ft as nt,me as o,Vt as on,oe as or,hn as ot,Se as p,St as pn,In as pr,$n as pt,$ as q,H as qn,M as qr,Kt as qt,ae as r,Bt as rn,An as rr,Ke as rt,ce as s,Er as sn,Rn as sr,At as st,xr as t,vt as tn,pe as tr,He as tt,ge as u,zt as un,pr as ur,Pn as ut,Te as v,Cr as vn,Ft as vr,We as vt,mr as w,Ie as wn,$t as wr,X as wt,Oe as x,Re as xn,Ge as xr,Lt as xt,Gt as y,qt as yn,rt as yr,mt as yt,sn as z,fe as zn,yr as zr,bn as zt};