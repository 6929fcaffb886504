import{E as e,a as t,c as n,d as r,g as i,i as a,l as o,m as s,n as c,p as l,t as u,u as d}from"./ui-D2k4UMZz.js";import{t as f}from"./plus-DnFrg5jt.js";import{t as p}from"./refresh-cw-BtLCyfH6.js";import{t as m}from"./star-Cp1g8Kr4.js";import{i as h,n as g,t as _}from"./jsx-runtime-DyZJNswf.js";import{N as v,R as y,S as b,a as x,i as ee,t as S,v as C}from"./button-BN0QXP3S.js";import{r as w,t as T}from"./address-BHq2i49I.js";import{c as E,f as D,m as O,t as k}from"./document-__yBWdMy.js";import{n as A}from"./builder-DpX6wDeg.js";import{n as te}from"./definition-D6zygz84.js";import{t as j}from"./json-DMNmtZaQ.js";import{c as M,i as N,l as P,n as F,s as I}from"./form-F0xFNEb5.js";import{n as ne}from"./marks-Bs-tqbgL.js";import{t as re}from"./saved-BObOAdb6.js";import{c as L}from"./text-DjmMxfOS.js";var R=new k(`
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
    `),z=new k(`
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
}`),B=new k(`
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
    `),V=new k(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),H=new k(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),ie=new k(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),U=new k(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),W=new k(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),G=new k(`
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
    `),K=h(g(),1),q=(e,t)=>Object.fromEntries(e.filter(e=>e.kind!==`OBJECT`||t[e.name]!==void 0).map(e=>[e.name,t[e.name]??null])),J=e=>e===``?null:Number(e),ae=({rateLimit:e,learnedRate:t})=>{let n=e??t;return n?`${n}/s`:L(`integrations.unlimited`)},Y=_();function oe({id:e,channel:t}){let[n,r]=(0,K.useState)(``),[i,a]=(0,K.useState)(L(`integrationtest.body`)),[s,l]=(0,K.useState)(),u=D(G,e=>l(e.testIntegration.attempt),E);return(0,Y.jsxs)(c,{title:L(`integrationtest.testMessage`),children:[(0,Y.jsxs)(N,{needs:`ADMIN`,submit:L(`word.SEND`),action:u,onSubmit:()=>u.run({input:{id:e,to:n,subject:L(`integrationtest.testMessage`),body:i}}),children:[(0,Y.jsx)(P,{at:`to`,label:L(t===`EMAIL`?`integrationtest.toEMailAddress`:t===`SMS`?`integrationtest.toPhoneNumber`:`common.to`),value:n,onChange:r,required:!0}),(0,Y.jsx)(P,{label:L(`integrationtest.message`),at:`body`,lines:3,value:i,onChange:a}),(0,Y.jsx)(`p`,{className:`soft small`,children:L(`integrationtest.asSaved`)})]}),(0,Y.jsx)(`div`,{role:`status`,children:s&&(0,Y.jsxs)(o,{tone:s.outcome===`ACCEPTED`?`good`:`bad`,children:[b(s.outcome),`.`,` `,[s.httpStatus,s.code,s.errorText,s.providerMessageId].filter(Boolean).join(` · `)]})})]})}var se={CLOSED:`good`,OPEN:`bad`,HALF_OPEN:`wait`},X=({of:e})=>e.active?(0,Y.jsx)(u,{tone:se[e.breaker],children:L(`integrations.breaker.${e.breaker}`)}):(0,Y.jsx)(u,{children:L(`common.off`)}),Z=[`EMAIL`,`SMS`,`CHAT`,`PUSH`,`IN_APP`];function Q(){let{get:e,set:i}=T(),a=e(`channel`),o=w(),l=O(R,{...o.variables,filter:{channelIn:a?[a]:void 0}}),m=D(H,l.reload),[h,g]=(0,K.useState)(!1);return(0,Y.jsxs)(d,{title:L(`word.INTEGRATIONS`),actions:(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(S,{icon:p,onClick:l.reload,children:L(`common.refresh`)}),(0,Y.jsx)(C,{needs:`ADMIN`,children:(0,Y.jsx)(S,{icon:f,look:`primary`,onClick:()=>g(!0),children:L(`integrations.newIntegration`)})})]}),children:[(0,Y.jsx)(c,{children:(0,Y.jsx)(I,{label:L(`common.channel`),value:a,onChange:i(`channel`),options:[{value:``,label:L(`common.any`)},...Z]})}),(0,Y.jsxs)(c,{children:[(0,Y.jsx)(t,{error:m.error}),(0,Y.jsx)(n,{of:l,children:({integrations:e})=>(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(s,{filtered:a!==``,label:L(`word.INTEGRATIONS`),empty:L(`integrations.noIntegrationsMessagesOfThis`),rows:e.nodes,id:e=>e.id,columns:[{name:L(`common.name`),cell:e=>(0,Y.jsx)(v,{href:`/integrations/${e.id}`,children:e.name||e.identifier})},{name:L(`common.provider`),cell:e=>e.providerId},{name:L(`common.channel`),cell:e=>b(e.channel)},{name:L(`common.state`),cell:e=>(0,Y.jsxs)(`span`,{className:`row`,children:[(0,Y.jsx)(X,{of:e}),e.primary&&(0,Y.jsx)(u,{children:L(`integrations.primary`)})]})},{name:L(`integrations.rate`),cell:e=>ae(e)},{name:L(`common.enabled`),cell:e=>(0,Y.jsx)(M,{label:L(`integrations.nIsEnabled`,{n:e.name||e.identifier}),needs:`ADMIN`,on:e.active,busy:m.busy,onChange:t=>m.run({input:{id:e.id,active:t}})})}]}),(0,Y.jsx)(r,{label:L(`word.INTEGRATIONS`),pager:o,info:e.pageInfo})]})})]}),h&&(0,Y.jsx)(ce,{onClose:()=>g(!1)})]})}function ce({onClose:e}){let t=O(B,{}),[r,i]=(0,K.useState)(`EMAIL`),[a,o]=(0,K.useState)(``),[s,c]=(0,K.useState)(``),[l,u]=(0,K.useState)({}),[,d]=y(),f=D(V,e=>d(`/integrations/${e.createIntegration.integration.id}`));return(0,Y.jsx)(x,{title:L(`integrations.newIntegration`),onClose:e,children:(0,Y.jsx)(n,{of:t,children:({providers:e})=>{let t=e.filter(e=>e.channel===r),n=t.find(e=>e.id===a)??t[0];return(0,Y.jsxs)(N,{needs:`ADMIN`,submit:L(`common.create`),action:f,onSubmit:()=>n&&f.run({input:{providerId:n.id,name:s||n.name,credentials:l,active:!0}}),children:[(0,Y.jsx)(I,{label:L(`common.channel`),value:r,onChange:e=>{i(e),u({})},options:Z}),(0,Y.jsx)(I,{label:L(`common.provider`),value:n?.id??``,onChange:e=>{o(e),u({})},options:t.map(e=>({value:e.id,label:e.name}))}),(0,Y.jsx)(P,{label:L(`common.name`),at:`name`,value:s,onChange:c,placeholder:n?.name}),n&&(0,Y.jsx)($,{provider:n,values:l,onChange:u})]})}})})}function $({provider:e,values:t,onChange:n,stored:r=!1}){let i=e.credentials?.some(e=>e.secret&&t[e.name]===`********`);return(0,Y.jsx)(Y.Fragment,{children:e.credentials?.map(e=>{let a=t[e.name],o=r=>n({...t,[e.name]:r}),s=e.label||e.name,c=`credentials.${e.name}`;return e.kind===`BOOL`?(0,Y.jsx)(F,{label:s,at:c,value:a===!0,onChange:o},e.name):e.options?.length?(0,Y.jsx)(I,{label:s,at:c,value:String(a??e.default),onChange:o,options:[{value:``,label:`–`},...e.options.map(e=>({value:e,label:e}))]},e.name):e.kind===`OBJECT`?(0,Y.jsx)(j,{label:s,at:c,value:a,onChange:o,hint:r?L(`integrations.storedValuesAreNotShown`):void 0},e.name):(0,Y.jsx)(P,{at:c,label:e.required?L(`integrations.required`,{label:s}):s,type:e.secret&&e.kind!==`TEXT`?`password`:`text`,autoComplete:`off`,lines:e.kind===`TEXT`?4:void 0,value:typeof a==`string`?a:``,placeholder:e.default,hint:e.destination&&i?L(`integrations.secretsAgain`):e.requiredIf?L(`integrations.requiredIf`,{condition:e.requiredIf}):void 0,onChange:o},e.name)})})}function le({id:e}){let t=O(z,{id:e}),r=O(B,{});return(0,Y.jsx)(n,{of:t,title:L(`word.INTEGRATION`),children:({integration:e})=>(0,Y.jsx)(n,{of:r,title:e.name||e.identifier,children:n=>(0,Y.jsx)(ue,{i:e,provider:n.providers.find(t=>t.id===e.providerId),reload:t.reload})})})}function ue({i:n,provider:r,reload:o}){let[s,u]=(0,K.useState)(n.name),[f,p]=(0,K.useState)(n.rateLimit==null?``:String(n.rateLimit)),[h,g]=(0,K.useState)(n.credentials),[_,v]=(0,K.useState)(n.configurations?.inboundWebhookEnabled??!1),[x,w]=(0,K.useState)(n.configurations?.inboundWebhookSigningKey??``),[T,E]=(0,K.useState)(()=>te(n.conditions)),[,O]=y(),k=re({name:s,rate:f,credentials:h,receipts:_,signingKey:x,conditions:T}),j=D(H,()=>{k.keep(),o()}),I=D(H,o),R=D(ie,o),z=D(W,o),B=D(U,()=>{ne(),O(`/integrations`)}),V=q(r?.credentials??[],h);return(0,Y.jsxs)(d,{title:n.name||n.identifier,actions:(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(M,{label:L(`integrations.integrationIsEnabled`),needs:`ADMIN`,on:n.active,busy:I.busy,onChange:e=>I.run({input:{id:n.id,active:e}})}),!n.primary&&(n.channel===`EMAIL`||n.channel===`SMS`)&&(0,Y.jsx)(C,{needs:`ADMIN`,children:(0,Y.jsx)(S,{icon:m,disabled:R.busy,onClick:()=>R.run({id:n.id}),children:L(`integrations.makePrimary`)})}),(0,Y.jsx)(ee,{needs:`ADMIN`,label:L(`common.delete`),question:L(`integrations.deleteTheIntegrationN`,{n:n.name||n.identifier}),busy:B.busy,onConfirm:()=>B.run({id:n.id})})]}),children:[(0,Y.jsx)(t,{error:I.error??R.error??B.error??z.error}),(0,Y.jsxs)(`div`,{className:`cols`,children:[(0,Y.jsx)(c,{title:L(`common.settings`),children:(0,Y.jsxs)(N,{needs:`ADMIN`,submit:L(`common.save`),action:j,onSubmit:()=>{j.run({input:{id:n.id,name:s,rateLimit:J(f),credentials:V,conditions:T,...r?.capabilities.receipts&&{configurations:{inboundWebhookEnabled:_,inboundWebhookSigningKey:x}}}})},children:[(0,Y.jsx)(P,{label:L(`common.name`),at:`name`,value:s,onChange:u}),r&&(0,Y.jsx)($,{provider:r,values:h,onChange:g,stored:!0}),(0,Y.jsx)(P,{label:L(`integrations.rateLimitRequestsPerSecond`),at:`rateLimit`,type:`number`,step:`any`,value:f,onChange:p,hint:L(`integrations.ifEmptyUnlimited`)}),r?.capabilities.receipts&&(0,Y.jsx)(F,{label:L(`integrations.acceptDeliveryReceipts`),at:`configurations.inboundWebhookEnabled`,value:_,onChange:v}),r?.capabilities.receipts&&_&&(0,Y.jsx)(P,{label:L(`integrations.signingKeyOfReceipts`),at:`configurations.inboundWebhookSigningKey`,type:`password`,autoComplete:`off`,value:x,onChange:w,hint:L(`integrations.theProviderSSigningSecret`)}),(0,Y.jsx)(A,{label:L(`common.conditions`),at:`conditions`,filters:T,onChange:E,none:L(`integrations.noConditions`)}),(0,Y.jsx)(l,{children:k.saved&&L(`common.saved`)})]})}),(0,Y.jsxs)(`div`,{className:`stack`,children:[(0,Y.jsxs)(c,{title:L(`common.state`),actions:(0,Y.jsx)(X,{of:n}),children:[(0,Y.jsx)(a,{of:{[L(`common.provider`)]:r?.name??n.providerId,[L(`common.channel`)]:b(n.channel),[L(`common.identifier`)]:(0,Y.jsx)(`code`,{children:n.identifier}),[L(`integrations.fact.primary`)]:n.primary?L(`common.yes`):L(`common.no`),[L(`integrations.fact.failures`)]:n.breakerFailures,[L(`integrations.fact.cause`)]:n.breakerCause,[L(`integrations.fact.opened`)]:n.breakerOpenedAt&&(0,Y.jsx)(i,{at:n.breakerOpenedAt}),[L(`integrations.fact.nextProbe`)]:n.breakerProbeAt&&(0,Y.jsx)(i,{at:n.breakerProbeAt}),[L(`integrations.fact.receiptURL`)]:n.inboundPath&&(0,Y.jsx)(`code`,{children:n.inboundPath})}}),n.breaker!==`CLOSED`&&(0,Y.jsx)(C,{needs:`ADMIN`,children:(0,Y.jsx)(`div`,{className:`row`,children:(0,Y.jsx)(S,{icon:e,disabled:z.busy,onClick:()=>z.run({id:n.id}),children:L(`integrations.closeCircuit`)})})})]}),(0,Y.jsx)(C,{needs:`ADMIN`,children:(0,Y.jsx)(oe,{id:n.id,channel:n.channel})})]})]})]})}export{le as IntegrationPage,Q as Integrations};