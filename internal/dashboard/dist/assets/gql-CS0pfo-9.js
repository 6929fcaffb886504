import{i as e,n as t}from"./jsx-runtime-DyZJNswf.js";import{d as n,n as r,p as i,s as a,t as o}from"./errors-COyJs4X4.js";import{c as s}from"./text-CXFdTqDM.js";function c(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function l(e){return c(e)===`object`}function u(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function d(e,t){return e.length<124?e:t}var f=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(f||{}),p=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(p||{});function m(e){if(!l(e))throw Error(`Message is expected to be an object, but got ${c(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${c(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!l(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${c(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!l(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${c(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${c(e.payload.query)}`);if(e.payload.variables!=null&&!l(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${c(e.payload.variables)}`);if(e.payload.operationName!=null&&c(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${c(e.payload.operationName)}`);if(e.payload.extensions!=null&&!l(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${c(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${c(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!l(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${c(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${c(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!u(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${c(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function h(e,t){return m(typeof e==`string`?JSON.parse(e,t):e)}function g(e,t){return m(e),JSON.stringify(e,t)}function _(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:c=0,retryAttempts:l=5,retryWait:u=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:m=y,on:_,webSocketImpl:x,generateID:S=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:C,jsonMessageReviver:w}=e,T;if(x){if(!ee(x))throw Error(`Invalid WebSocket implementation provided`);T=x}else typeof WebSocket<`u`?T=WebSocket:typeof global<`u`?T=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(T=window.WebSocket||window.MozWebSocket);if(!T)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let E=T,D=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:_?.connecting?[_.connecting]:[],opened:_?.opened?[_.opened]:[],connected:_?.connected?[_.connected]:[],ping:_?.ping?[_.ping]:[],pong:_?.pong?[_.pong]:[],message:_?.message?[e.emit,_.message]:[e.emit],closed:_?.closed?[_.closed]:[],error:_?.error?[_.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function O(e){let t=[D.on(`error`,n=>{t.forEach(e=>e()),e(n)}),D.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let k,A=0,j,M=!1,N=0,P=!1;async function F(){clearTimeout(j);let[e,r]=await(k??=new Promise((e,r)=>(async()=>{if(M){if(await u(N),!A)return k=void 0,r({code:1e3,reason:`All Subscriptions Gone`});N++}D.emit(`connecting`,M);let i=new E(typeof t==`function`?await t():t,`graphql-transport-ws`),a,l;function m(){isFinite(o)&&o>0&&(clearTimeout(l),l=setTimeout(()=>{i.readyState===E.OPEN&&(i.send(g({type:p.Ping})),D.emit(`ping`,!1,void 0))},o))}O(e=>{k=void 0,clearTimeout(a),clearTimeout(l),r(e),e instanceof v&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>D.emit(`error`,e),i.onclose=e=>D.emit(`closed`,e),i.onopen=async()=>{try{D.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==E.OPEN)return;i.send(g(e?{type:p.ConnectionInit,payload:e}:{type:p.ConnectionInit},C)),isFinite(c)&&c>0&&(a=setTimeout(()=>{i.close(f.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},c)),m()}catch(e){D.emit(`error`,e),i.close(f.InternalClientError,d(e instanceof Error?e.message:String(e),`Internal client error`))}};let _=!1;i.onmessage=({data:t})=>{try{let n=h(t,w);if(D.emit(`message`,n),n.type===`ping`||n.type===`pong`){D.emit(n.type,!0,n.payload),n.type===`pong`?m():s||(i.send(g(n.payload?{type:p.Pong,payload:n.payload}:{type:p.Pong},C)),D.emit(`pong`,!1,n.payload));return}if(_)return;if(n.type!==p.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),_=!0,D.emit(`connected`,i,n.payload,M),M=!1,N=0;let r=new Promise((e,t)=>O(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,D.emit(`error`,e),i.close(f.BadResponse,d(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===E.CLOSING&&await r;let i=()=>{},l=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=O(n);e.readyState!==E.OPEN&&r.catch(n),l.then(()=>{if(i(),!A){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(j),j=setTimeout(()=>{!A&&e.readyState===E.OPEN&&t()},a)):t()}t()})})]}function I(e){if(y(e)&&(b(e.code)||[f.InternalServerError,f.InternalClientError,f.BadRequest,f.BadResponse,f.Unauthorized,f.SubprotocolNotAcceptable,f.SubscriberAlreadyExists,f.TooManyInitialisationRequests].includes(e.code)))throw e;if(P)return!1;if(y(e)&&e.code===1e3)return A>0;if(!l||N>=l||!m(e))throw e;return M=!0}r||(async()=>{for(A++;;)try{let[,,e]=await F();await e}catch(e){try{if(!I(e))return}catch(e){return i?.(e)}}})();function L(e,t){let n=S(e),r=!1,i=!1,a=()=>{A--,r=!0};return(async()=>{for(A++;;)try{let[o,s,c]=await F();if(r)return c.catch(()=>{}),s();let l=D.onMessage(n,e=>{switch(e.type){case p.Next:t.next(e.payload);return;case p.Error:i=!0,r=!0,t.error(e.payload),a();return;case p.Complete:r=!0,a();return}});o.send(g({id:n,type:p.Subscribe,payload:e},C)),a=()=>{!r&&o.readyState===E.OPEN&&o.send(g({id:n,type:p.Complete},C)),A--,r=!0,s()},await c.finally(l);return}catch(e){if(!I(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:D.on,subscribe:L,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=L(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(P=!0,k){let[e]=await k;e.close(1e3,`Normal Closure`)}},terminate(){k&&D.emit(`closed`,new v)}}}var v=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function y(e){return l(e)&&`code`in e&&`reason`in e}function b(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function ee(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var x=e(t(),1),S=`env`,C=e=>new URL(e).searchParams.get(S)??``;function w(e,t){let n=new URL(e);return n.searchParams.set(S,t),n.href}function T(e){let t=new URL(e);return t.searchParams.delete(S),t.href}async function E(e,t){try{return await fetch(e,t)}catch{throw new r(s(`error.unreachable`))}}var D=new AbortController,O=new Promise(()=>{}),k=e=>new r(s(`error.status`,{status:String(e)})),A=new EventTarget;function j(e){return A.addEventListener(`end`,e),()=>A.removeEventListener(`end`,e)}function M(e){return A.addEventListener(`enrol`,e),()=>A.removeEventListener(`enrol`,e)}async function N(e,t){let n=e.toString(),r=/^\s*query\b/.test(n)?D.signal:null,c=await E(`/graphql`,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json`},body:JSON.stringify({query:n,variables:t}),signal:r}).catch(e=>r?.aborted?O:Promise.reject(e)),l=await c.text().then(i).catch(()=>null);if(r?.aborted)return O;let u=l?.errors?.[0];if(c.status===401)throw A.dispatchEvent(new Event(`end`)),new o(s(`error.signedOut`),u?.extensions?.code);if(u)throw u.extensions?.code===`SECOND_FACTOR_MISSING`&&A.dispatchEvent(new Event(`enrol`)),a(u);if(!l?.data)throw k(c.status);return l.data}async function P(e,t){let n=await E(`/dashboard/session`,{method:e,headers:{"Content-Type":`application/json`},body:t&&JSON.stringify(t)});if(n.ok)return;let r=await n.json().catch(()=>null);throw r?.message?new o(r.message,r.code):k(n.status)}async function F(){let e=await E(`/dashboard/session`);if(!e.ok)throw k(e.status);return await e.json()}async function I(e,t,n=``){if(await P(`POST`,{email:e,password:t,code:n}),!(await F()).active)throw new o(s(`login.noCookie`,{host:location.host}))}function L(){return D.abort(),H.dispose(),P(`DELETE`)}function te(){try{return new BroadcastChannel(`carillon`)}catch{return}}var R=te();R&&(R.onmessage=()=>{history.replaceState(history.state,``,T(location.href)),location.reload()});async function z(e){await P(`PUT`,{environmentId:e}),R?.postMessage(`moved`)}function B(e,t,n=!1){let r=JSON.stringify(t),[a,o]=(0,x.useState)({loading:!n}),[s,c]=(0,x.useState)(0);return(0,x.useEffect)(()=>{if(n)return;let t=!0;return o(e=>({...e,loading:!0})),N(e,i(r)).then(e=>t&&o({data:e,loading:!1}),e=>t&&o(t=>({data:t.data,error:e,loading:!1}))),()=>{t=!1}},[e,r,s,n]),{...a,reload:(0,x.useCallback)(()=>c(e=>e+1),[])}}function V(e,t){let[n,r]=(0,x.useState)({busy:!1});return{run:async n=>{r({busy:!0});try{let i=await N(e,n);return r({busy:!1}),t?.(i),!0}catch(e){return r({busy:!1,error:e}),!1}},...n,clear:()=>r({busy:!1})}}var H=_({url:()=>`${location.origin.replace(/^http/,`ws`)}/graphql`,retryAttempts:1/0,shouldRetry:()=>!0,jsonMessageReviver:n}),U=1e3;function W(e,t,n,r,a=!1){let o=JSON.stringify(t),s=(0,x.useRef)(n);s.current=n;let c=(0,x.useRef)(r);c.current=r,(0,x.useEffect)(()=>H.on(`connected`,(e,t,n)=>n&&c.current()),[]),(0,x.useEffect)(()=>{if(a)return;let t=setTimeout(()=>c.current(),U),n=H.subscribe({query:e.toString(),variables:i(o)},{next:e=>e.data&&s.current(e.data),error:()=>{},complete:()=>{}});return()=>{clearTimeout(t),n()}},[e,o,a])}var G=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new G(`
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
    `,{fragmentName:`NotificationRow`}),new G(`
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
    `,{fragmentName:`Call`}),new G(`
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
}`,{fragmentName:`NotificationTrace`}),new G(`
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
    `,{fragmentName:`AlertParts`}),new G(`
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
    `,{fragmentName:`BroadcastParts`}),new G(`
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
    `,{fragmentName:`Numbers`}),new G(`
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
    `,{fragmentName:`ScheduleParts`}),new G(`
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}
    `,{fragmentName:`DayParts`}),new G(`
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
    `,{fragmentName:`FilterParts`}),new G(`
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
    `,{fragmentName:`InAppParts`}),new G(`
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
    `,{fragmentName:`EmailParts`}),new G(`
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
}`,{fragmentName:`DefinitionParts`});var K=new G(`
    query SubscriberData {
  subscribers(first: 50) {
    nodes {
      data
    }
  }
}
    `),q=new G(`
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
    `),J=new G(`
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
}`),Y=new G(`
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
    `),X=new G(`
    query PastEvents($workflow: String!) {
  events(first: 10, filter: {workflow: $workflow}) {
    nodes {
      transactionId
      payload
      createdAt
    }
  }
}
    `);new G(`
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
    `);var Z=new G(`
    query ActivityWorkflows {
  workflows(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      identifier
      name
    }
  }
}
    `),Q=new G(`
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
    `),ne=new G(`
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
    `),re=new G(`
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
    `),ie=new G(`
    mutation CancelRun($id: ID!) {
  cancelNotification(id: $id) {
    result {
      stoppedCount
      tooLateCount
    }
  }
}
    `),ae=new G(`
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
}`),oe=new G(`
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
}`),se=new G(`
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
}`),ce=new G(`
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
    `),le=new G(`
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
}`),ue=new G(`
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
}`),de=new G(`
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
}`),fe=new G(`
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
    `),pe=new G(`
    mutation CreateAlertRule($input: CreateAlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),me=new G(`
    mutation UpdateAlertRule($input: UpdateAlertRuleInput!) {
  updateAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),he=new G(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    deletedId
  }
}
    `),ge=new G(`
    mutation SilenceAlertRule($input: SilenceAlertRuleInput!) {
  silenceAlertRule(input: $input) {
    alertRule {
      id
    }
  }
}
    `),_e=new G(`
    mutation TestAlertRule($id: ID!) {
  testAlertRule(id: $id) {
    event {
      id
    }
  }
}
    `),ve=new G(`
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
    `),ye=new G(`
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
    `),be=new G(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),xe=new G(`
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
    `),Se=new G(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),Ce=new G(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),we=new G(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),Te=new G(`
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
    `),Ee=new G(`
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
    `),De=new G(`
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
}`),Oe=new G(`
    mutation PaceBroadcast($input: PaceBroadcastInput!) {
  paceBroadcast(input: $input) {
    event {
      id
    }
  }
}
    `),ke=new G(`
    mutation CancelBroadcast($transactionId: String!) {
  cancelTransaction(transactionId: $transactionId) {
    result {
      eventsStopped
      stoppedCount
    }
  }
}
    `),Ae=new G(`
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
}`),je=new G(`
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
    `),Me=new G(`
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
    `),Ne=new G(`
    mutation ClearCaught {
  clearCaughtMessages {
    deletedCount
  }
}
    `),Pe=new G(`
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
    `),Fe=new G(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),Ie=new G(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),Le=new G(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),Re=new G(`
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
    `),ze=new G(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),Be=new G(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),Ve=new G(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),He=new G(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),Ue=new G(`
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
    `),We=new G(`
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
    `),Ge=new G(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),Ke=new G(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),qe=new G(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),Je=new G(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),Ye=new G(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),Xe=new G(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),Ze=new G(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),Qe=new G(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),$e=new G(`
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
    `),et=new G(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),tt=new G(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),nt=new G(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),rt=new G(`
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
    `),it=new G(`
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
}`),at=new G(`
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
      destination
      options
      default
    }
    capabilities {
      receipts
    }
  }
}
    `),ot=new G(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),st=new G(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),ct=new G(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),lt=new G(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),ut=new G(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),dt=new G(`
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
    `),ft=new G(`
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
    `),pt=new G(`
    query Layout($identifier: String!) {
  layoutByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    content
    revision
    isDefault
    createdAt
    updatedAt
  }
}
    `),mt=new G(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    layout {
      identifier
    }
  }
}
    `),ht=new G(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    layout {
      revision
    }
  }
}
    `),gt=new G(`
    mutation DeleteLayout($id: ID!) {
  deleteLayout(id: $id) {
    deletedId
  }
}
    `),_t=new G(`
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
}`),vt=new G(`
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
    `),yt=new G(`
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
    `),bt=new G(`
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
    `),xt=new G(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),St=new G(`
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
    `),Ct=new G(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),wt=new G(`
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
    `),Tt=new G(`
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
    `),Et=new G(`
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
    `),Dt=new G(`
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
    `),Ot=new G(`
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
    `),kt=new G(`
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
    `),At=new G(`
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
    `),jt=new G(`
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
    `),Mt=new G(`
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
    `),Nt=new G(`
    mutation CreateSuppression($input: CreateSuppressionInput!) {
  createSuppression(input: $input) {
    suppression {
      id
    }
  }
}
    `),Pt=new G(`
    mutation DeleteSuppression($id: ID!) {
  deleteSuppression(id: $id) {
    deletedId
  }
}
    `),Ft=new G(`
    mutation CreateContext($input: CreateContextInput!) {
  createContext(input: $input) {
    context {
      id
    }
  }
}
    `),It=new G(`
    mutation UpdateContext($input: UpdateContextInput!) {
  updateContext(input: $input) {
    context {
      id
    }
  }
}
    `),Lt=new G(`
    mutation DeleteContext($id: ID!) {
  deleteContext(id: $id) {
    deletedId
  }
}
    `),Rt=new G(`
    mutation CreateFeed($input: CreateFeedInput!) {
  createFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),zt=new G(`
    mutation UpdateFeed($input: UpdateFeedInput!) {
  updateFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),Bt=new G(`
    mutation DeleteFeed($id: ID!) {
  deleteFeed(id: $id) {
    deletedId
  }
}
    `),Vt=new G(`
    mutation EraseSubscriber($subscriberId: String!) {
  eraseSubscriber(subscriberId: $subscriberId) {
    erasure {
      rows
      done
    }
  }
}
    `),Ht=new G(`
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
    `),Ut=new G(`
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
    `),Wt=new G(`
    mutation Recall($input: RecallInput!) {
  recall(input: $input) {
    eventsStopped
    stoppedCount
    withdrawnCount
    recallingCount
    outOfReachCount
  }
}
    `),Gt=new G(`
    mutation ReleaseDigest($input: ReleaseDigestInput!) {
  releaseDigest(input: $input) {
    events
  }
}
    `),Kt=new G(`
    mutation DropDigest($input: DropDigestInput!) {
  dropDigest(input: $input) {
    events
  }
}
    `),qt=new G(`
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
    `),Jt=new G(`
    mutation RetryMessages($input: RetryMessagesInput!) {
  retryMessages(input: $input) {
    chosen
    retried
  }
}
    `),Yt=new G(`
    mutation CancelMessageRetry($input: CancelMessageRetryInput!) {
  cancelMessageRetry(input: $input) {
    messageRetry {
      id
    }
  }
}
    `),Xt=new G(`
    mutation PauseDelivery($input: PauseDeliveryInput!) {
  pauseDelivery(input: $input) {
    events
    notifications
    messages
  }
}
    `),Zt=new G(`
    mutation ResumeDelivery($input: ResumeDeliveryInput!) {
  resumeDelivery(input: $input) {
    held
  }
}
    `),Qt=new G(`
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
    `),$t=new G(`
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
}`),en=new G(`
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
}`),tn=new G(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),nn=new G(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),rn=new G(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),an=new G(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),on=new G(`
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
    `),sn=new G(`
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
    `),cn=new G(`
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
    `),ln=new G(`
    query Snippet($identifier: String!) {
  snippetByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    content
    revision
  }
}
    `),un=new G(`
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
    `),dn=new G(`
    mutation CreateSnippet($input: CreateSnippetInput!) {
  createSnippet(input: $input) {
    snippet {
      identifier
    }
  }
}
    `),fn=new G(`
    mutation UpdateSnippet($input: UpdateSnippetInput!) {
  updateSnippet(input: $input) {
    snippet {
      revision
    }
  }
}
    `),pn=new G(`
    mutation DeleteSnippet($id: ID!, $force: Boolean!) {
  deleteSnippet(id: $id, force: $force) {
    deletedId
  }
}
    `),mn=new G(`
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
    `),hn=new G(`
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
}`),gn=new G(`
    mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriber {
      subscriberId
    }
  }
}
    `),_n=new G(`
    mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    subscriber {
      id
    }
  }
}
    `),vn=new G(`
    mutation SetSchedule($input: SetScheduleInput!) {
  setSchedule(input: $input) {
    subscriber {
      id
    }
  }
}
    `),yn=new G(`
    mutation DeleteSubscriber($id: ID!) {
  deleteSubscriber(id: $id) {
    deletedId
  }
}
    `),bn=new G(`
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
    `),xn=new G(`
    mutation SetGlobalPreferences($input: SetGlobalPreferencesInput!) {
  setGlobalPreferences(input: $input) {
    preference {
      enabled
    }
  }
}
    `),Sn=new G(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    preferences {
      enabled
    }
  }
}
    `),Cn=new G(`
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
    `),wn=new G(`
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
    `),Tn=new G(`
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
    `),En=new G(`
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
    `),Dn=new G(`
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
    `),On=new G(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),kn=new G(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),An=new G(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),jn=new G(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),Mn=new G(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),Nn=new G(`
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
    `),Pn=new G(`
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
    `),Fn=new G(`
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
    `),In=new G(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),Ln=new G(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),Rn=new G(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),zn=new G(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),Bn=new G(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),Vn=new G(`
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
    `),Hn=new G(`
    query Translation($locale: String!) {
  translationByLocale(locale: $locale) {
    id
    locale
    content
    revision
    updatedAt
  }
  viewer {
    environment {
      defaultLocale
    }
  }
}
    `),Un=new G(`
    query DefaultTexts($locales: [String!]) {
  translations(first: 1, filter: {localeIn: $locales}) {
    nodes {
      id
      content
    }
  }
}
    `),Wn=new G(`
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
    `),Gn=new G(`
    mutation CreateTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) {
    translation {
      locale
    }
  }
}
    `),Kn=new G(`
    mutation UpdateTranslation($input: UpdateTranslationInput!) {
  updateTranslation(input: $input) {
    translation {
      revision
    }
  }
}
    `),qn=new G(`
    mutation DeleteTranslation($id: ID!) {
  deleteTranslation(id: $id) {
    deletedId
  }
}
    `),Jn=new G(`
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
    `),Yn=new G(`
    query VariableUsages($id: ID!) {
  variableUsages(id: $id) {
    kind
    name
    path
  }
}
    `),Xn=new G(`
    mutation CreateVariable($input: CreateVariableInput!) {
  createVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),Zn=new G(`
    mutation UpdateVariable($input: UpdateVariableInput!) {
  updateVariable(input: $input) {
    variable {
      id
    }
  }
}
    `),Qn=new G(`
    mutation DeleteVariable($id: ID!, $evenIfUsed: Boolean!) {
  deleteVariable(id: $id, evenIfUsed: $evenIfUsed) {
    deletedId
  }
}
    `),$n=new G(`
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
    `),er=new G(`
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
    `),tr=new G(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    webhookEndpoint {
      id
    }
  }
}
    `),nr=new G(`
    mutation UpdateWebhookEndpoint($input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(input: $input) {
    webhookEndpoint {
      id
    }
  }
}
    `),rr=new G(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    webhookEndpoint {
      id
    }
  }
}
    `),ir=new G(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
  }
}
    `),ar=new G(`
    mutation PingWebhookEndpoint($id: ID!) {
  pingWebhookEndpoint(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),or=new G(`
    mutation ReplayWebhookDelivery($id: ID!) {
  replayWebhookDelivery(id: $id) {
    webhookDelivery {
      id
    }
  }
}
    `),sr=new G(`
    mutation ReplayWebhookDeliveries($input: ReplayWebhookDeliveriesInput!) {
  replayWebhookDeliveries(input: $input) {
    count
    more
  }
}
    `),cr=new G(`
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
    `),lr=new G(`
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
}`),ur=new G(`
    query Versions($reference: String!, $first: Int, $after: String, $last: Int, $before: String) {
  workflowByReference(reference: $reference) {
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
    `),dr=new G(`
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
}`),fr=new G(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    workflow {
      identifier
    }
  }
}
    `),pr=new G(`
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
}`),mr=new G(`
    mutation SetWorkflowActive($id: ID!, $active: Boolean!) {
  setWorkflowActive(id: $id, active: $active) {
    workflow {
      id
    }
  }
}
    `),$=new G(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(id: $id) {
    deletedId
  }
}
    `),hr=new G(`
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
    `),gr=new G(`
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
    `),_r=new G(`
    mutation Trigger($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      transactionId
    }
  }
}
    `),vr=new G(`
    query Clock {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
}
    `),yr=new G(`
    mutation AdvanceClock($by: String!) {
  advanceClock(by: $by) {
    clock {
      now
      settled
    }
  }
}
    `),br=new G(`
    mutation ResetClock {
  resetClock {
    clock {
      now
    }
  }
}
    `),xr=new G(`
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
    `),Sr=new G(`
    query PayloadSchema($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      definition {
        payloadSchema
      }
    }
  }
}
    `),Cr=new G(`
    query WorkflowChoices {
  workflows(first: 100) {
    nodes {
      identifier
    }
  }
}
    `),wr=new G(`
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
    `),Tr=new G(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    environmentId
  }
}
    `),Er=new G(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email) {
    accepted
  }
}
    `),Dr=new G(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    email
  }
}
    `),Or=new G(`
    mutation BeginSecondFactor($password: String!) {
  beginSecondFactor(password: $password) {
    secret
    uri
    qrCode
  }
}
    `),kr=new G(`
    mutation ConfirmSecondFactor($code: String!) {
  confirmSecondFactor(code: $code) {
    recoveryCodes
  }
}
    `),Ar=new G(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    user {
      id
    }
  }
}
    `),jr=new G(`
    mutation ReplaceRecoveryCodes($input: ReplaceRecoveryCodesInput!) {
  replaceRecoveryCodes(input: $input) {
    recoveryCodes
  }
}
    `),Mr=new G(`
    mutation SetPassword($input: SetPasswordInput!) {
  setPassword(input: $input) {
    user {
      id
    }
  }
}
    `),Nr=new G(`
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
    `),Pr=new G(`
    mutation LogOutEverywhere {
  logOut(everywhere: true) {
    loggedOut
  }
}
    `);export{Bt as $,Dn as $n,w as $r,xt as $t,Fe as A,tn as An,Zn as Ar,rt as At,gn as B,ln as Bn,lr as Br,Wn as Bt,Ne as C,Ve as Cn,Sn as Cr,gr as Ct,pe as D,on as Dn,kn as Dr,xr as Dt,Ot as E,ir as En,_n as Er,kt as Et,mt as F,ct as Fn,ur as Fr,ft as Ft,Xn as G,q as Gn,j as Gr,Oe as Gt,On as H,cn as Hn,I as Hr,qt as Ht,et as I,vn as In,Nr as Ir,J as It,Un as J,hn as Jn,z as Jr,Sr as Jt,tr as K,zn as Kn,N as Kr,X as Kt,qe as L,jn as Ln,er as Lr,Pr as Lt,ot as M,Q as Mn,Yn as Mr,We as Mt,Ge as N,xn as Nn,Jn as Nr,Re as Nt,Se as O,pr as On,Ln as Or,Mt as Ot,ze as P,Mr as Pn,dr as Pr,pt as Pt,Le as Q,En as Qn,C as Qr,hr as Qt,nn as R,mr as Rn,$n as Rr,Ue as Rt,je as S,nt as Sn,Qe as Sr,ce as St,kr as T,tt as Tn,fn as Tr,jt as Tt,In as U,yt as Un,L as Ur,Ze as Ut,Nt as V,un as Vn,cr as Vr,oe as Vt,Gn as W,_t as Wn,M as Wr,$e as Wt,we as X,mn as Xn,W as Xr,At as Xt,he as Y,Cn as Yn,V as Yr,ar as Yt,Lt as Z,wt as Zn,B as Zr,bn as Zt,ne as _,br as _n,Ie as _r,Y as _t,yr as a,sn as an,Nn as ar,pn as at,ie as b,Jt as bn,ht as br,Pe as bt,de as c,Qt as cn,Vn as cr,An as ct,xe as d,sr as dn,G as dr,qn as dt,bt as en,Tn as er,lt as et,ye as f,or as fn,Ct as fr,Qn as ft,De as g,ut as gn,It as gr,Kt as gt,Ae as h,Ht as hn,Ce as hr,Dt as ht,Z as i,Tt as in,Fn as ir,an as it,Rt as j,$t as jn,nr as jr,wr as jt,Ft as k,en as kn,Kn as kr,it as kt,se as l,jr as ln,Te as lr,Mn as lt,Or as m,Er as mn,me as mr,$ as mt,ae as n,at as nn,dt as nr,gt as nt,ve as o,Gt as on,ue as or,yn as ot,Ee as p,Et as pn,Bn as pr,rr as pt,fr as q,K as qn,F as qr,Xt as qt,le as r,Wt as rn,Pn as rr,Xe as rt,fe as s,Ar as sn,Hn as sr,Pt as st,Tr as t,St as tn,_e as tr,Ke as tt,be as u,Ut as un,_r as ur,Rn as ut,ke as v,Dr as vn,zt as vr,Je as vt,vr as w,Be as wn,rn as wr,re as wt,Me as x,He as xn,Ye as xr,Vt as xt,Yt as y,Zt as yn,st as yr,vt as yt,dn as z,ge as zn,Cr as zr,wn as zt};