import{E as e,a as t,c as n,d as r,g as i,i as a,l as o,m as s,n as c,p as l,t as u,u as d}from"./ui-Bua6Uujo.js";import{t as f}from"./plus-DMsR_D0x.js";import{t as p}from"./refresh-cw-GPeuQIX_.js";import{t as m}from"./star-CiIXkXS1.js";import{i as h,n as g,t as _}from"./jsx-runtime-DyZJNswf.js";import{A as v,F as y,_ as b,a as x,i as S,t as C}from"./button-DrZok8y8.js";import{r as w,t as T}from"./address-AAVe8LmF.js";import{f as E,s as D,t as O,u as k}from"./document-DOpnm8OA.js";import{n as A}from"./builder-C_kRklB-.js";import{n as j}from"./definition-D7Q1mS0-.js";import{t as M}from"./json-INN3mvjR.js";import{c as N,i as P,l as F,n as I,s as L}from"./form-LUm_ZQFx.js";import{c as R}from"./text-AeBTDtkA.js";import{a as z,r as B}from"./unsaved-CFuxLlyc.js";import{t as V}from"./words-BFceARnm.js";var H=new O(`
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
    `),U=new O(`
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
}`),W=new O(`
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
    `),G=new O(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),K=new O(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),ee=new O(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),te=new O(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),ne=new O(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),q=new O(`
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
    `),J=h(g(),1),re=(e,t)=>Object.fromEntries(e.filter(e=>e.kind!==`OBJECT`||t[e.name]!==void 0).map(e=>[e.name,t[e.name]??null])),ie=e=>e===``?null:Number(e),Y=({rateLimit:e,learnedRate:t})=>{let n=e??t;return n?`${n}/s`:R(`integrations.unlimited`)},X=_();function ae({id:e,channel:t}){let[n,r]=(0,J.useState)(``),[i,a]=(0,J.useState)(R(`integrationtest.body`)),[s,l]=(0,J.useState)(),u=k(q,e=>l(e.testIntegration.attempt),D);return(0,X.jsxs)(c,{title:R(`integrationtest.testMessage`),children:[(0,X.jsxs)(P,{needs:`ADMIN`,submit:R(`word.SEND`),action:u,onSubmit:()=>u.run({input:{id:e,to:n,subject:R(`integrationtest.testMessage`),body:i}}),children:[(0,X.jsx)(F,{at:`to`,label:R(t===`EMAIL`?`integrationtest.toEMailAddress`:t===`SMS`?`integrationtest.toPhoneNumber`:`common.to`),value:n,onChange:r,required:!0}),(0,X.jsx)(F,{label:R(`integrationtest.message`),at:`body`,lines:3,value:i,onChange:a})]}),(0,X.jsx)(`div`,{role:`status`,children:s&&(0,X.jsxs)(o,{tone:s.outcome===`ACCEPTED`?`good`:`bad`,children:[V(s.outcome),`.`,` `,[s.httpStatus,s.code,s.errorText,s.providerMessageId].filter(Boolean).join(` · `)]})})]})}var oe={CLOSED:`good`,OPEN:`bad`,HALF_OPEN:`wait`},Z=({of:e})=>e.active?(0,X.jsx)(u,{tone:oe[e.breaker],children:R(`integrations.breaker.${e.breaker}`)}):(0,X.jsx)(u,{children:R(`common.off`)}),Q=[`EMAIL`,`SMS`,`CHAT`,`PUSH`,`IN_APP`];function se(){let{get:e,set:i}=T(),a=e(`channel`),o=w(),l=E(H,{...o.variables,filter:{channelIn:a?[a]:void 0}}),m=k(K,l.reload),[h,g]=(0,J.useState)(!1);return(0,X.jsxs)(d,{title:R(`word.INTEGRATIONS`),actions:(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(C,{icon:p,onClick:l.reload,children:R(`common.refresh`)}),(0,X.jsx)(b,{needs:`ADMIN`,children:(0,X.jsx)(C,{icon:f,look:`primary`,onClick:()=>g(!0),children:R(`integrations.newIntegration`)})})]}),children:[(0,X.jsx)(c,{children:(0,X.jsx)(L,{label:R(`common.channel`),value:a,onChange:i(`channel`),options:[{value:``,label:R(`common.any`)},...Q]})}),(0,X.jsxs)(c,{children:[(0,X.jsx)(t,{error:m.error}),(0,X.jsx)(n,{of:l,children:({integrations:e})=>(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(s,{filtered:a!==``,label:R(`word.INTEGRATIONS`),empty:R(`integrations.noIntegrationsMessagesOfThis`),rows:e.nodes,id:e=>e.id,columns:[{name:R(`common.name`),cell:e=>(0,X.jsx)(v,{href:`/integrations/${e.id}`,children:e.name||e.identifier})},{name:R(`common.provider`),cell:e=>e.providerId},{name:R(`common.channel`),cell:e=>V(e.channel)},{name:R(`common.state`),cell:e=>(0,X.jsxs)(`span`,{className:`row`,children:[(0,X.jsx)(Z,{of:e}),e.primary&&(0,X.jsx)(u,{children:R(`integrations.primary`)})]})},{name:R(`integrations.rate`),cell:e=>Y(e)},{name:R(`common.enabled`),cell:e=>(0,X.jsx)(N,{label:R(`integrations.nIsEnabled`,{n:e.name||e.identifier}),needs:`ADMIN`,on:e.active,busy:m.busy,onChange:t=>m.run({input:{id:e.id,active:t}})})}]}),(0,X.jsx)(r,{label:R(`word.INTEGRATIONS`),pager:o,info:e.pageInfo})]})})]}),h&&(0,X.jsx)(ce,{onClose:()=>g(!1)})]})}function ce({onClose:e}){let t=E(W,{}),[r,i]=(0,J.useState)(`EMAIL`),[a,o]=(0,J.useState)(``),[s,c]=(0,J.useState)(``),[l,u]=(0,J.useState)({}),[,d]=y(),f=k(G,e=>d(`/integrations/${e.createIntegration.integration.id}`));return(0,X.jsx)(x,{title:R(`integrations.newIntegration`),onClose:e,children:(0,X.jsx)(n,{of:t,children:({providers:e})=>{let t=e.filter(e=>e.channel===r),n=t.find(e=>e.id===a)??t[0];return(0,X.jsxs)(P,{needs:`ADMIN`,submit:R(`common.create`),action:f,onSubmit:()=>n&&f.run({input:{providerId:n.id,name:s||n.name,credentials:l,active:!0}}),children:[(0,X.jsx)(L,{label:R(`common.channel`),value:r,onChange:e=>{i(e),u({})},options:Q}),(0,X.jsx)(L,{label:R(`common.provider`),value:n?.id??``,onChange:e=>{o(e),u({})},options:t.map(e=>({value:e.id,label:e.name}))}),(0,X.jsx)(F,{label:R(`common.name`),at:`name`,value:s,onChange:c,placeholder:n?.name}),n&&(0,X.jsx)($,{provider:n,values:l,onChange:u})]})}})})}function $({provider:e,values:t,onChange:n}){let r=e.credentials?.some(e=>e.secret&&t[e.name]===`********`);return(0,X.jsx)(X.Fragment,{children:e.credentials?.map(e=>{let i=t[e.name],a=r=>n({...t,[e.name]:r}),o=e.label||e.name,s=`credentials.${e.name}`;return e.kind===`BOOL`?(0,X.jsx)(I,{label:o,at:s,value:i===!0,onChange:a},e.name):e.options?.length?(0,X.jsx)(L,{label:o,at:s,value:String(i??e.default),onChange:a,options:[{value:``,label:`–`},...e.options.map(e=>({value:e,label:e}))]},e.name):e.kind===`OBJECT`?(0,X.jsx)(M,{label:o,at:s,value:i,onChange:a,hint:R(`integrations.storedValuesAreNotShown`)},e.name):(0,X.jsx)(F,{at:s,label:e.required?R(`integrations.required`,{label:o}):o,type:e.secret&&e.kind!==`TEXT`?`password`:`text`,autoComplete:`off`,lines:e.kind===`TEXT`?4:void 0,value:typeof i==`string`?i:``,placeholder:e.default,hint:e.destination&&r?R(`integrations.secretsAgain`):e.requiredIf?R(`integrations.requiredIf`,{condition:e.requiredIf}):void 0,onChange:a},e.name)})})}function le({id:e}){let t=E(U,{id:e}),r=E(W,{});return(0,X.jsx)(n,{of:t,title:R(`word.INTEGRATION`),children:({integration:e})=>(0,X.jsx)(n,{of:r,title:e.name||e.identifier,children:n=>(0,X.jsx)(ue,{i:e,provider:n.providers.find(t=>t.id===e.providerId),reload:t.reload})})})}function ue({i:n,provider:r,reload:o}){let[s,u]=(0,J.useState)(n.name),[f,p]=(0,J.useState)(n.rateLimit==null?``:String(n.rateLimit)),[h,g]=(0,J.useState)(n.credentials),[_,v]=(0,J.useState)(n.configurations?.inboundWebhookEnabled??!1),[x,w]=(0,J.useState)(n.configurations?.inboundWebhookSigningKey??``),[T,E]=(0,J.useState)(()=>j(n.conditions)),[D,O]=(0,J.useState)(!1),[,M]=y(),L=z({name:s,rate:f,credentials:h,receipts:_,signingKey:x,conditions:T}),H=k(K,()=>{O(!0),L(),o()}),U=k(K,o),W=k(ee,o),G=k(ne,o),q=k(te,()=>{B(),M(`/integrations`)}),Y=re(r?.credentials??[],h);return(0,X.jsxs)(d,{title:n.name||n.identifier,actions:(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(N,{label:R(`integrations.integrationIsEnabled`),needs:`ADMIN`,on:n.active,busy:U.busy,onChange:e=>U.run({input:{id:n.id,active:e}})}),!n.primary&&(n.channel===`EMAIL`||n.channel===`SMS`)&&(0,X.jsx)(b,{needs:`ADMIN`,children:(0,X.jsx)(C,{icon:m,disabled:W.busy,onClick:()=>W.run({id:n.id}),children:R(`integrations.makePrimary`)})}),(0,X.jsx)(S,{needs:`ADMIN`,label:R(`common.delete`),question:R(`integrations.deleteTheIntegrationN`,{n:n.name||n.identifier}),busy:q.busy,onConfirm:()=>q.run({id:n.id})})]}),children:[(0,X.jsx)(t,{error:U.error??W.error??q.error??G.error}),(0,X.jsxs)(`div`,{className:`cols`,children:[(0,X.jsx)(c,{title:R(`common.settings`),children:(0,X.jsxs)(P,{needs:`ADMIN`,submit:R(`common.save`),action:H,onSubmit:()=>{O(!1),H.run({input:{id:n.id,name:s,rateLimit:ie(f),credentials:Y,conditions:T,...r?.capabilities.receipts&&{configurations:{inboundWebhookEnabled:_,inboundWebhookSigningKey:x}}}})},children:[(0,X.jsx)(F,{label:R(`common.name`),at:`name`,value:s,onChange:u}),r&&(0,X.jsx)($,{provider:r,values:h,onChange:g}),(0,X.jsx)(F,{label:R(`integrations.rateLimitRequestsPerSecond`),at:`rateLimit`,type:`number`,step:`any`,value:f,onChange:p,hint:R(`integrations.ifEmptyUnlimited`)}),r?.capabilities.receipts&&(0,X.jsx)(I,{label:R(`integrations.acceptDeliveryReceipts`),at:`configurations.inboundWebhookEnabled`,value:_,onChange:v}),r?.capabilities.receipts&&_&&(0,X.jsx)(F,{label:R(`integrations.signingKeyOfReceipts`),at:`configurations.inboundWebhookSigningKey`,type:`password`,autoComplete:`off`,value:x,onChange:w,hint:R(`integrations.theProviderSSigningSecret`)}),(0,X.jsx)(A,{label:R(`common.conditions`),at:`conditions`,filters:T,onChange:E,none:R(`integrations.noConditions`)}),(0,X.jsx)(l,{children:D&&R(`common.saved`)})]})}),(0,X.jsxs)(`div`,{className:`stack`,children:[(0,X.jsxs)(c,{title:R(`common.state`),actions:(0,X.jsx)(Z,{of:n}),children:[(0,X.jsx)(a,{of:{[R(`common.provider`)]:r?.name??n.providerId,[R(`common.channel`)]:V(n.channel),[R(`common.identifier`)]:(0,X.jsx)(`code`,{children:n.identifier}),[R(`integrations.fact.primary`)]:n.primary?R(`common.yes`):R(`common.no`),[R(`integrations.fact.failures`)]:n.breakerFailures,[R(`integrations.fact.cause`)]:n.breakerCause,[R(`integrations.fact.opened`)]:n.breakerOpenedAt&&(0,X.jsx)(i,{at:n.breakerOpenedAt}),[R(`integrations.fact.nextProbe`)]:n.breakerProbeAt&&(0,X.jsx)(i,{at:n.breakerProbeAt}),[R(`integrations.fact.receiptURL`)]:n.inboundPath&&(0,X.jsx)(`code`,{children:n.inboundPath})}}),n.breaker!==`CLOSED`&&(0,X.jsx)(b,{needs:`ADMIN`,children:(0,X.jsx)(`div`,{className:`row`,children:(0,X.jsx)(C,{icon:e,disabled:G.busy,onClick:()=>G.run({id:n.id}),children:R(`integrations.closeCircuit`)})})})]}),(0,X.jsx)(b,{needs:`ADMIN`,children:(0,X.jsx)(ae,{id:n.id,channel:n.channel})})]})]})]})}export{le as IntegrationPage,se as Integrations};