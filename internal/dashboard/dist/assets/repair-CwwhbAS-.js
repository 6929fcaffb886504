import{i as e,n as t,t as n}from"./jsx-runtime-DyZJNswf.js";import{a as r,t as i,x as a}from"./button-Dgb5THJ5.js";import{a as o}from"./ui-CoQ-QTUx.js";import{d as s,f as c,t as l}from"./document-dlEMawag.js";import{c as u}from"./text-Dt6ehE6o.js";var d=new l(`
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
    `),f=new l(`
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
    `),p=new l(`
    mutation Recall($input: RecallInput!) {
  recall(input: $input) {
    eventsStopped
    stoppedCount
    withdrawnCount
    recallingCount
    outOfReachCount
  }
}
    `),m=new l(`
    mutation ReleaseDigest($input: ReleaseDigestInput!) {
  releaseDigest(input: $input) {
    events
  }
}
    `),h=new l(`
    mutation DropDigest($input: DropDigestInput!) {
  dropDigest(input: $input) {
    events
  }
}
    `),g=new l(`
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
    `),_=new l(`
    mutation RetryMessages($input: RetryMessagesInput!) {
  retryMessages(input: $input) {
    chosen
    retried
  }
}
    `),v=new l(`
    mutation CancelMessageRetry($input: CancelMessageRetryInput!) {
  cancelMessageRetry(input: $input) {
    messageRetry {
      id
    }
  }
}
    `),y=new l(`
    mutation PauseDelivery($input: PauseDeliveryInput!) {
  pauseDelivery(input: $input) {
    events
    notifications
    messages
  }
}
    `),b=new l(`
    mutation ResumeDelivery($input: ResumeDeliveryInput!) {
  resumeDelivery(input: $input) {
    held
  }
}
    `),x=new l(`
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
    `),S=e(t(),1),C=n();function w({label:e,icon:t,look:n,document:l,input:d,says:f,done:p,needs:m=`EDITOR`}){let[h,g]=(0,S.useState)(),[_,v]=(0,S.useState)(!1),y=s(l,g),b=c(l,e=>{v(!1),p?.(e)});return a(m)?(0,C.jsxs)(C.Fragment,{children:[(0,C.jsx)(i,{look:n,icon:t,onClick:()=>{g(void 0),b.clear(),v(!0),y.run({input:{...d,dryRun:!0}})},children:e}),_&&(0,C.jsxs)(r,{title:e,onClose:()=>v(!1),alert:!0,children:[(0,C.jsx)(o,{error:y.error??b.error}),y.busy&&(0,C.jsx)(`p`,{children:u(`repair.asking`)}),h&&(0,C.jsx)(`div`,{children:f(h)}),(0,C.jsxs)(`div`,{className:`row end`,children:[(0,C.jsx)(i,{onClick:()=>v(!1),children:u(`common.cancel`)}),(0,C.jsx)(i,{look:`danger`,disabled:!h||b.busy,onClick:()=>b.run({input:d}),children:e})]})]})]}):null}export{y as a,x as c,b as d,_ as f,g as i,f as l,v as n,p as o,h as r,m as s,w as t,d as u};