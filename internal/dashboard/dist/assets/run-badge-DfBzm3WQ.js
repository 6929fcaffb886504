import{t as e}from"./jsx-runtime-DyZJNswf.js";import{S as t,it as n}from"./button-Dgb5THJ5.js";import{t as r}from"./bell-sa0qONwu.js";import{t as i}from"./ui-CoQ-QTUx.js";import{t as a}from"./mail-B3lcCTPQ.js";import{t as o}from"./smartphone-K0Hf-ySA.js";import{t as s}from"./document-dlEMawag.js";import{c,r as l}from"./text-Dt6ehE6o.js";var u={name:`message-circle`,size:24,node:[[`path`,{d:`M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719`,key:`1sd12s`}]]};u.node;var d=n(u),f={name:`message-square-text`,size:24,node:[[`path`,{d:`M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z`,key:`18887p`}],[`path`,{d:`M7 11h10`,key:`1twpyw`}],[`path`,{d:`M7 15h6`,key:`d9of3u`}],[`path`,{d:`M7 7h8`,key:`af5zfr`}]]};f.node;var p=n(f),m=new s(`
    query ActivityWorkflows {
  workflows(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      identifier
      name
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `),h=new s(`
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
    `),g=new s(`
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
    `),_=new s(`
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
    `),v=new s(`
    mutation CancelRun($id: ID!) {
  cancelNotification(id: $id) {
    result {
      stoppedCount
      tooLateCount
    }
  }
}
    `),y=new s(`
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
  heldBy
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
}`),b=new s(`
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
  heldBy
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
      heldBy
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
}`),x=new s(`
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
}`),S=new s(`
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
    `),C=new s(`
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
  heldBy
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
}`),w=new s(`
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
  heldBy
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
      heldBy
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
}`),T=new Set([`NO_INTEGRATION`,`REJECTED`,`ATTEMPTS_EXHAUSTED`,`OUTCOME_UNKNOWN`,`RENDER_FAILED`,`STOP_ON_FAIL`,`STEP_UNSUPPORTED`,`DELAY_FAILED`,`PARKED`,`NOT_TRIGGERED`,`INVALID_ADDRESS`]),E=new Set([`SENT`,`COMPLETED`,`TRIGGERED`,`CALLED`,`RECEIPT`,`CONTINUED`,`THROTTLE_PASSED`,`DIGEST_PASSED`]),D=new Set([`QUEUED`,`RETRY`,`WAITING`,`HELD`,`PACED`,`BREAKER_OPEN`,`FAILOVER`,`RECOVERED`,`DUPLICATE_POSSIBLE`]),O=new Set([`STEP_INACTIVE`,`CONDITION`,`PREFERENCE`,`SCHEDULE`,`NO_ADDRESS`,`INVALID_ADDRESS`,`SUPPRESSED`,`THROTTLED`,`PASSED_OVER`,`DELAY_PAST`]);function k(e){return T.has(e)?`bad`:E.has(e)?`good`:D.has(e)||O.has(e)?`wait`:``}var A=e=>e.trace.reduce((e,t)=>e+t.count,0),j=(e,t)=>e&&A(e)>=A(t)?e:t,M={waiting:0,skipped:1,failed:2,sent:3};function N(e){if(O.has(e))return`skipped`;let t=k(e);return t===`bad`?`failed`:t===`good`?`sent`:`waiting`}function P(e){let t=new Map;for(let{stepId:n,channel:r,reason:i}of e){if(n===null||i===`RECEIPT`)continue;let e=N(i),a=t.get(n);(!a||M[e]>=M[a.kind])&&t.set(n,{stepId:n,channel:r??a?.channel??null,reason:i,kind:e})}return[...t.values()]}var F={PENDING:`wait`,WAITING:`wait`,COMPLETED:`good`,FAILED:`bad`,CANCELLED:``,MERGED:``,SKIPPED:``,PARKED:`bad`};function I(e){if(e.heldBy)return{text:c(`run.paused`),tone:`wait`};let n=e.status===`COMPLETED`?P(e.trace??[]).filter(e=>e.channel!==null):[],r=e=>n.filter(t=>t.kind===e).length,i=(e,t)=>c(e,{n:t});return r(`failed`)>0?{text:i(`run.completedFailed`,r(`failed`)),tone:`bad`}:r(`skipped`)>0&&r(`sent`)===0?{text:c(`run.nothingSent`),tone:`wait`}:r(`skipped`)>0?{text:i(`run.completedSkipped`,r(`skipped`)),tone:`wait`}:{text:t(e.status),tone:F[e.status]}}function L(e){let t=P(e.trace);return t.find(e=>e.kind===`failed`)??(e.status===`WAITING`?t.findLast(e=>e.kind===`waiting`):void 0)??t.find(e=>e.kind===`skipped`)}var R=e=>e.email??e.phone??e.directWebhookUrl??(e.deviceTokens?.length?e.deviceTokens.join(`, `):e.target),z=e();function B({of:e}){let{text:t,tone:n}=I(e);return(0,z.jsxs)(`span`,{className:`badges`,children:[(0,z.jsx)(i,{tone:n,children:t}),e.failures>0&&(0,z.jsx)(i,{tone:`bad`,children:c(`run.failures`,{n:e.failures})})]})}var V={PENDING:`wait`,SENT:`good`,ERROR:`bad`,WARNING:`wait`},H={EMAIL:a,SMS:p,PUSH:o,CHAT:d,IN_APP:r};function U({of:e}){return(0,z.jsx)(`span`,{className:`channel-icons`,children:P(e.trace).map(({stepId:e,channel:n,kind:r,reason:i})=>{if(!n)return null;let a=H[n];return(0,z.jsxs)(`span`,{title:`${t(n)}: ${W(i)}`,children:[(0,z.jsx)(a,{"aria-hidden":!0,className:`icon ${r}`}),(0,z.jsx)(`span`,{className:`hidden`,children:`${t(n)}: ${W(i)}`})]},e)})})}var W=e=>l(`reason.${e}`)??t(e);export{_,R as a,w as b,j as c,C as d,m as f,S as g,v as h,W as i,k as l,g as m,B as n,P as o,x as p,V as r,L as s,U as t,y as u,b as v,h as y};