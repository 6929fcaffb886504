import{E as e,a as t,c as n,d as r,g as i,i as a,l as o,m as s,n as c,p as l,t as u,u as d}from"./ui-CoQ-QTUx.js";import{t as f}from"./plus-TwwWyVs2.js";import{t as p}from"./refresh-cw-CFOpgsE1.js";import{t as m}from"./star-nbq0SPbZ.js";import{i as h,n as g,t as _}from"./jsx-runtime-DyZJNswf.js";import{N as v,R as y,S as b,a as x,i as ee,t as S,v as C}from"./button-Dgb5THJ5.js";import{r as w,t as T}from"./address-NG03ewlH.js";import{d as E,f as D,m as O,s as k,t as A}from"./document-dlEMawag.js";import{n as te}from"./builder-BPArpZXk.js";import{a as j}from"./edited-D4mEspNB.js";import{n as ne}from"./definition-zeV3GoTK.js";import{t as M}from"./json-CPQvQQWg.js";import{c as N,i as P,l as F,n as I,s as L}from"./form-DrW5btIS.js";import{n as re}from"./marks-Bs-tqbgL.js";import{c as R}from"./text-Dt6ehE6o.js";var ie=new A(`
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
    `),z=new A(`
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
}`),B=new A(`
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
    `),ae=new A(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),V=new A(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    integration {
      id
    }
  }
}
    `),H=new A(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    integration {
      id
    }
  }
}
    `),U=new A(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    deletedId
  }
}
    `),W=new A(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    integration {
      id
    }
  }
}
    `),G=new A(`
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
    `),K=h(g(),1),q=(e,t)=>Object.fromEntries(e.filter(e=>e.kind!==`OBJECT`||t[e.name]!==void 0).map(e=>[e.name,t[e.name]??null])),J=e=>Object.fromEntries(Object.entries(e).map(([e,t])=>[`credentials.${e}`,t])),Y=e=>{let t=Object.entries(e).map(([e,t])=>[e.slice(12),t??null]);return t.length>0?Object.fromEntries(t):void 0},oe=e=>e===``?null:Number(e),se=({rateLimit:e,learnedRate:t})=>{let n=e??t;return n?`${n}/s`:R(`integrations.unlimited`)},X=_();function ce({id:e,channel:t}){let[n,r]=(0,K.useState)(``),[i,a]=(0,K.useState)(R(`integrationtest.body`)),[s,l]=(0,K.useState)(),u=D(G,e=>l(e.testIntegration.attempt));return(0,X.jsxs)(c,{title:R(`integrationtest.testMessage`),children:[(0,X.jsxs)(P,{needs:`ADMIN`,submit:R(`word.SEND`),action:u,onSubmit:()=>u.run({input:{id:e,to:n,subject:R(`integrationtest.testMessage`),body:i}}),children:[(0,X.jsx)(F,{at:`to`,label:R(t===`EMAIL`?`integrationtest.toEMailAddress`:t===`SMS`?`integrationtest.toPhoneNumber`:`common.to`),value:n,onChange:r,required:!0}),(0,X.jsx)(F,{label:R(`integrationtest.message`),at:`body`,lines:3,value:i,onChange:a}),(0,X.jsx)(`p`,{className:`soft small`,children:R(`integrationtest.asSaved`)})]}),(0,X.jsx)(`div`,{role:`status`,children:s&&(0,X.jsxs)(o,{tone:s.outcome===`ACCEPTED`?`good`:`bad`,children:[b(s.outcome),`.`,` `,[s.httpStatus,s.code,s.errorText,s.providerMessageId].filter(Boolean).join(` · `)]})})]})}var le={CLOSED:`good`,OPEN:`bad`,HALF_OPEN:`wait`},Z=({of:e})=>e.active?(0,X.jsx)(u,{tone:le[e.breaker],children:R(`integrations.breaker.${e.breaker}`)}):(0,X.jsx)(u,{children:R(`common.off`)}),Q=[`EMAIL`,`SMS`,`CHAT`,`PUSH`,`IN_APP`];function ue(){let{get:e,set:i}=T(),a=e(`channel`),o=w(),l=O(ie,{...o.variables,filter:{channelIn:a?[a]:void 0}}),m=E(V,l.reload),[h,g]=(0,K.useState)(!1);return(0,X.jsxs)(d,{title:R(`word.INTEGRATIONS`),actions:(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(S,{icon:p,onClick:l.reload,children:R(`common.refresh`)}),(0,X.jsx)(C,{needs:`ADMIN`,children:(0,X.jsx)(S,{icon:f,look:`primary`,onClick:()=>g(!0),children:R(`integrations.newIntegration`)})})]}),children:[(0,X.jsx)(c,{children:(0,X.jsx)(L,{label:R(`common.channel`),value:a,onChange:i(`channel`),options:[{value:``,label:R(`common.any`)},...Q]})}),(0,X.jsxs)(c,{children:[(0,X.jsx)(t,{error:m.error}),(0,X.jsx)(n,{of:l,children:({integrations:e})=>(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(s,{filtered:a!==``,label:R(`word.INTEGRATIONS`),empty:R(`integrations.noIntegrationsMessagesOfThis`),rows:e.nodes,id:e=>e.id,columns:[{name:R(`common.name`),cell:e=>(0,X.jsx)(v,{href:`/integrations/${e.id}`,children:e.name||e.identifier})},{name:R(`common.provider`),cell:e=>e.providerId},{name:R(`common.channel`),cell:e=>b(e.channel)},{name:R(`common.state`),cell:e=>(0,X.jsxs)(`span`,{className:`row`,children:[(0,X.jsx)(Z,{of:e}),e.primary&&(0,X.jsx)(u,{children:R(`integrations.primary`)})]})},{name:R(`integrations.rate`),cell:e=>se(e)},{name:R(`common.enabled`),cell:e=>(0,X.jsx)(N,{label:R(`integrations.nIsEnabled`,{n:e.name||e.identifier}),needs:`ADMIN`,on:e.active,busy:m.busy,onChange:t=>m.run({input:{id:e.id,active:t}})})}]}),(0,X.jsx)(r,{label:R(`word.INTEGRATIONS`),pager:o,info:e.pageInfo})]})})]}),h&&(0,X.jsx)(de,{onClose:()=>g(!1)})]})}function de({onClose:e}){let t=O(B,{}),[r,i]=(0,K.useState)(`EMAIL`),[a,o]=(0,K.useState)(``),[s,c]=(0,K.useState)(``),[l,u]=(0,K.useState)({}),[,d]=y(),f=E(ae,e=>d(`/integrations/${e.createIntegration.integration.id}`));return(0,X.jsx)(x,{title:R(`integrations.newIntegration`),onClose:e,children:(0,X.jsx)(n,{of:t,children:({providers:e})=>{let t=e.filter(e=>e.channel===r),n=t.find(e=>e.id===a)??t[0];return(0,X.jsxs)(P,{needs:`ADMIN`,submit:R(`common.create`),action:f,onSubmit:()=>n&&f.run({input:{providerId:n.id,name:s||n.name,credentials:l,active:!0}}),children:[(0,X.jsx)(L,{label:R(`common.channel`),value:r,onChange:e=>{i(e),u({})},options:Q}),(0,X.jsx)(L,{label:R(`common.provider`),value:n?.id??``,onChange:e=>{o(e),u({})},options:t.map(e=>({value:e.id,label:e.name}))}),(0,X.jsx)(F,{label:R(`common.name`),at:`name`,value:s,onChange:c,placeholder:n?.name}),n&&(0,X.jsx)($,{provider:n,values:l,onChange:u})]})}})})}function $({provider:e,values:t,onChange:n,stored:r=!1}){let i=e.credentials?.some(e=>e.secret&&t[e.name]===`********`);return(0,X.jsx)(X.Fragment,{children:e.credentials?.map(e=>{let a=t[e.name],o=r=>n({...t,[e.name]:r}),s=e.label||e.name,c=`credentials.${e.name}`;return e.kind===`BOOL`?(0,X.jsx)(I,{label:s,at:c,value:a===!0,onChange:o},e.name):e.options?.length?(0,X.jsx)(L,{label:s,at:c,value:String(a??e.default),onChange:o,options:[{value:``,label:`–`},...e.options.map(e=>({value:e,label:e}))]},e.name):e.kind===`OBJECT`?(0,X.jsx)(M,{label:s,at:c,value:a,onChange:o,hint:r?R(`integrations.storedValuesAreNotShown`):void 0},e.name):(0,X.jsx)(F,{at:c,label:e.required?R(`integrations.required`,{label:s}):s,type:e.secret&&e.kind!==`TEXT`?`password`:`text`,autoComplete:`off`,lines:e.kind===`TEXT`?4:void 0,value:typeof a==`string`?a:``,placeholder:e.default,hint:e.destination&&i?R(`integrations.secretsAgain`):e.requiredIf?R(`integrations.requiredIf`,{condition:e.requiredIf}):void 0,onChange:o},e.name)})})}function fe({id:e}){let t=O(z,{id:e}),r=O(B,{});return(0,X.jsx)(n,{of:t,title:R(`word.INTEGRATION`),children:({integration:e})=>(0,X.jsx)(n,{of:r,title:e.name||e.identifier,children:n=>(0,X.jsx)(me,{i:e,provider:n.providers.find(t=>t.id===e.providerId),reload:t.reload})})})}var pe=e=>t=>({name:t.name,rateLimit:t.rateLimit==null?``:String(t.rateLimit),configurations:{inboundWebhookEnabled:t.configurations?.inboundWebhookEnabled??!1,inboundWebhookSigningKey:t.configurations?.inboundWebhookSigningKey??``},conditions:ne(t.conditions),...J(q(e?.credentials??[],t.credentials))});function me({i:n,provider:r,reload:o}){let[,s]=y(),u=j({of:n,valuesOf:pe(r),read:()=>k(z,{id:n.id}).then(e=>e.integration),send:({name:e,rateLimit:t,configurations:r,conditions:i,...a})=>k(V,{input:{id:n.id,name:e,rateLimit:t===void 0?void 0:oe(t),credentials:Y(a),conditions:i,configurations:r}}),onSaved:o}),{name:f,rateLimit:p,configurations:h,conditions:g,..._}=u.values,v=E(V,o),x=E(H,o),w=E(W,o),T=E(U,()=>{re(),s(`/integrations`)}),D=e=>u.set({configurations:{...h,...e}});return(0,X.jsxs)(d,{title:n.name||n.identifier,actions:(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(N,{label:R(`integrations.integrationIsEnabled`),needs:`ADMIN`,on:n.active,busy:v.busy,onChange:e=>v.run({input:{id:n.id,active:e}})}),!n.primary&&(n.channel===`EMAIL`||n.channel===`SMS`)&&(0,X.jsx)(C,{needs:`ADMIN`,children:(0,X.jsx)(S,{icon:m,disabled:x.busy,onClick:()=>x.run({id:n.id}),children:R(`integrations.makePrimary`)})}),(0,X.jsx)(ee,{needs:`ADMIN`,label:R(`common.delete`),question:R(`integrations.deleteTheIntegrationN`,{n:n.name||n.identifier}),busy:T.busy,onConfirm:()=>T.run({id:n.id})})]}),children:[(0,X.jsx)(t,{error:v.error??x.error??T.error??w.error}),(0,X.jsxs)(`div`,{className:`cols`,children:[(0,X.jsx)(c,{title:R(`common.settings`),children:(0,X.jsxs)(P,{needs:`ADMIN`,submit:R(`common.save`),action:u,onSubmit:u.save,children:[(0,X.jsx)(F,{label:R(`common.name`),at:`name`,value:f,onChange:e=>u.set({name:e})}),r&&(0,X.jsx)($,{provider:r,values:Y(_)??{},onChange:e=>u.set(J(e)),stored:!0}),(0,X.jsx)(F,{label:R(`integrations.rateLimitRequestsPerSecond`),at:`rateLimit`,type:`number`,step:`any`,value:p,onChange:e=>u.set({rateLimit:e}),hint:R(`integrations.ifEmptyUnlimited`)}),r?.capabilities.receipts&&(0,X.jsx)(I,{label:R(`integrations.acceptDeliveryReceipts`),at:`configurations.inboundWebhookEnabled`,value:h.inboundWebhookEnabled,onChange:e=>D({inboundWebhookEnabled:e})}),r?.capabilities.receipts&&h.inboundWebhookEnabled&&(0,X.jsx)(F,{label:R(`integrations.signingKeyOfReceipts`),at:`configurations.inboundWebhookSigningKey`,type:`password`,autoComplete:`off`,value:h.inboundWebhookSigningKey,onChange:e=>D({inboundWebhookSigningKey:e}),hint:R(`integrations.theProviderSSigningSecret`)}),(0,X.jsx)(te,{label:R(`common.conditions`),at:`conditions`,filters:g,onChange:e=>u.set({conditions:e}),none:R(`integrations.noConditions`)}),(0,X.jsx)(l,{children:u.saved&&R(`common.saved`)})]})}),(0,X.jsxs)(`div`,{className:`stack`,children:[(0,X.jsxs)(c,{title:R(`common.state`),actions:(0,X.jsx)(Z,{of:n}),children:[(0,X.jsx)(a,{of:{[R(`common.provider`)]:r?.name??n.providerId,[R(`common.channel`)]:b(n.channel),[R(`common.identifier`)]:(0,X.jsx)(`code`,{children:n.identifier}),[R(`integrations.fact.primary`)]:n.primary?R(`common.yes`):R(`common.no`),[R(`integrations.fact.failures`)]:n.breakerFailures,[R(`integrations.fact.cause`)]:n.breakerCause,[R(`integrations.fact.opened`)]:n.breakerOpenedAt&&(0,X.jsx)(i,{at:n.breakerOpenedAt}),[R(`integrations.fact.nextProbe`)]:n.breakerProbeAt&&(0,X.jsx)(i,{at:n.breakerProbeAt}),[R(`integrations.fact.receiptURL`)]:n.inboundPath&&(0,X.jsx)(`code`,{children:n.inboundPath})}}),n.breaker!==`CLOSED`&&(0,X.jsx)(C,{needs:`ADMIN`,children:(0,X.jsx)(`div`,{className:`row`,children:(0,X.jsx)(S,{icon:e,disabled:w.busy,onClick:()=>w.run({id:n.id}),children:R(`integrations.closeCircuit`)})})})]}),(0,X.jsx)(C,{needs:`ADMIN`,children:(0,X.jsx)(ce,{id:n.id,channel:n.channel})})]})]})]})}export{fe as IntegrationPage,ue as Integrations};