import{t as e}from"./pencil-DMT7pHam.js";import{t}from"./plus-DnFrg5jt.js";import{t as n}from"./trash-BARPWY7t.js";import{i as r,n as i,t as a}from"./jsx-runtime-DyZJNswf.js";import{r as o}from"./address-BHq2i49I.js";import{c as s,f as c,m as l,t as u}from"./document-__yBWdMy.js";import{C as d,S as f,a as p,i as m,m as h,t as g,v as _,w as v,x as y}from"./button-BN0QXP3S.js";import{c as b,i as x,l as S,n as C,s as w}from"./form-F0xFNEb5.js";import{n as T}from"./pages-Oc_0InZn.js";import{c as E}from"./text-DjmMxfOS.js";import{a as D,c as O,d as k,g as A,h as j,m as M,n as N,o as P,t as F,u as ee}from"./ui-D2k4UMZz.js";import{r as te}from"./lists-CpmF0fzc.js";import{t as ne}from"./rich-DxYbNeky.js";import{l as re}from"./people-DU22heGz.js";import{t as ie}from"./second-factor-yU0dhSbh.js";var ae=new u(`
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
    `),oe=new u(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),I=new u(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),se=new u(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),ce=new u(`
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
    `),le=new u(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),ue=new u(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),de=new u(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),fe=new u(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),pe=new u(`
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
    `),L=new u(`
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
    `),R=new u(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),z=new u(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),B=new u(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),me=new u(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),he=new u(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),ge=new u(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),_e=new u(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),ve=new u(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),ye=new u(`
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
    `),be=new u(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),xe=new u(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),Se=new u(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),V=r(i(),1),Ce=[`TRIGGER`,`AUDIENCE`,`AUDIENCE_READ`,`CONTENT`,`CONTENT_READ`,`INTEGRATIONS`,`INTEGRATIONS_READ`,`ACTIVITY`,`ACTIVITY_READ`,`KEYS`],H=[`TRIGGER`,`AUDIENCE`,`CONTENT`,`INTEGRATIONS`,`ACTIVITY`,`KEYS`],we={server:[`TRIGGER`,`AUDIENCE`,`CONTENT_READ`,`ACTIVITY_READ`],full:H},U=e=>e.endsWith(`_READ`)?E(`keys.readOnly`,{scope:f(e.slice(0,-5))}):f(e),Te=e=>e.length===H.length&&H.every(t=>e.includes(t))?E(`keys.full`):e.map(U).join(`, `);function Ee({revokedAt:e,expiresAt:t},n){return e?E(`keys.revoked`):t&&new Date(t)<n?E(`keys.expired`):``}var W=(e,t)=>e?new Date(t.getTime()+parseInt(e,10)*864e5).toISOString():void 0,G=a(),K=e=>Ee(e,new Date),q=()=>[{value:`30`,label:E(`keys.life.n30Days`)},{value:`90`,label:E(`keys.life.n90Days`)},{value:`365`,label:E(`keys.life.oneYear`)}],J=()=>[`PT0S`,`PT1H`,`P1D`,`P7D`,`P30D`].map(e=>({value:e,label:E(`keys.overlap.${e}`)})),Y=e=>J().find(t=>t.value===e)?.label??e;function X({of:e}){return K(e)?(0,G.jsx)(F,{tone:`bad`,children:K(e)}):(0,G.jsxs)(`span`,{children:[(0,G.jsx)(F,{tone:`good`,children:E(`keys.valid`)}),` `,e.expiresAt&&(0,G.jsx)(G.Fragment,{children:ne(`keys.until`,{when:(0,G.jsx)(A,{at:e.expiresAt})})}),` `,e.successorId&&(0,G.jsx)(F,{children:E(`keys.replaced`)})]})}var De=()=>[{value:`full`,label:E(`keys.full`)},{value:`server`,label:E(`keys.server`)},{value:`chosen`,label:E(`keys.custom`)}];function Z({among:e,chosen:t,onChange:n}){return(0,G.jsxs)(`fieldset`,{children:[(0,G.jsx)(`legend`,{children:E(`common.scopes`)}),e.map(e=>(0,G.jsx)(C,{label:U(e),value:t.includes(e),onChange:r=>n(te(t,e,r))},e))]})}function Oe({me:e}){let t=e.environment.id,n=o(`keys-`),r=l(ce,{environmentId:t,...n.variables}),[i,a]=(0,V.useState)(``),[u,d]=(0,V.useState)(``),[f,p]=(0,V.useState)(`full`),[h,g]=(0,V.useState)([]),[_,v]=(0,V.useState)(`P1D`),[y,b]=(0,V.useState)(``),C=c(le,e=>{b(e.createApiKey.key),a(``),r.reload()},s),T=c(ue,e=>{b(e.rotateApiKey.key),r.reload()},s),j=c(fe,r.reload);return(0,G.jsxs)(N,{title:E(`keys.aPIKeysOfName`,{name:e.environment.name}),children:[(0,G.jsx)(D,{error:j.error??T.error}),(0,G.jsx)(P,{what:E(`keys.theNewKey`),secret:y},y),(0,G.jsx)(O,{of:r,children:({apiKeys:e})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:E(`keys.aPIKeys`),rows:e.nodes,id:e=>e.id,columns:[{name:E(`common.name`),cell:e=>e.name},{name:E(`common.endsWith`),cell:e=>(0,G.jsx)(`code`,{children:e.hint})},{name:E(`common.scopes`),cell:e=>Te(e.scopes)},{name:E(`common.lastUsed`),cell:e=>(0,G.jsx)(A,{at:e.lastUsedAt})},{name:E(`common.state`),cell:e=>(0,G.jsx)(X,{of:e})},{name:``,cell:e=>!K(e)&&(0,G.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,G.jsx)(m,{needs:`ADMIN`,label:E(`keys.rotate`),question:E(`keys.createANewKeyName`,{name:e.name,overlapOf:Y(_)}),busy:T.busy,onConfirm:()=>T.run({id:e.id,environmentId:t,overlap:_})}),(0,G.jsx)(m,{needs:`ADMIN`,label:E(`common.revoke`),question:E(`keys.revokeTheKeyNameRequests`,{name:e.name}),busy:j.busy,onConfirm:()=>j.run({id:e.id,environmentId:t})})]})}]}),(0,G.jsx)(k,{label:E(`keys.aPIKeys`),pager:n,info:e.pageInfo}),(0,G.jsx)(w,{label:E(`keys.revokeRotatedKeys`),value:_,onChange:v,options:J()})]})}),(0,G.jsxs)(x,{needs:`ADMIN`,submit:E(`keys.createKey`),action:C,onSubmit:()=>C.run({input:{name:i,environmentId:t,scopes:we[f]??h,expiresAt:W(u,new Date)}}),children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(S,{label:E(`keys.keyName`),at:`name`,value:i,onChange:a,required:!0}),(0,G.jsx)(w,{label:E(`keys.access`),at:`scopes`,value:f,onChange:p,options:De()}),(0,G.jsx)(w,{label:E(`common.expires`),at:`expiresAt`,value:u,onChange:d,options:[{value:``,label:E(`keys.life.never`)},...q()]})]}),f===`chosen`&&(0,G.jsx)(Z,{among:Ce,chosen:h,onChange:g})]})]})}function ke({environment:e}){let[t,n]=(0,V.useState)(``),r=c(de,e=>n(e.rotateInboxSecret.inboxSecret),s);return(0,G.jsxs)(N,{title:E(`keys.inboxSecretOfEnvironment`,{environment:e}),children:[(0,G.jsx)(`p`,{className:`soft`,children:E(`keys.yourBackendAuthenticatesInboxUsers`)}),(0,G.jsx)(D,{error:r.error}),(0,G.jsx)(P,{what:E(`keys.theNewSecret`),secret:t},t),(0,G.jsx)(`div`,{className:`row end`,children:(0,G.jsx)(m,{needs:`ADMIN`,label:E(`keys.rotateSecret`),question:E(`keys.createANewSecretInboxes`),busy:r.busy,onConfirm:()=>r.run({})})})]})}function Ae({me:e}){let t=o(`members-`),n=l(pe,t.variables),r=y(`ADMIN`),[i,a]=(0,V.useState)(),[s,u]=(0,V.useState)(),p=c(he,n.reload),g=c(ge,n.reload),b=c(me,n.reload),x=c(B,({createPasswordReset:e})=>a({what:E(`members.resetLinkOf`,{email:e.user.email}),url:e.url,mailed:e.mailed})),S=t=>t.user.internalId===e.user?.internalId,C=t=>r&&d(e.role,t.role);return(0,G.jsxs)(N,{title:E(`word.MEMBERS`),children:[(0,G.jsx)(D,{error:p.error??g.error??x.error??b.error}),s&&(0,G.jsx)(h,{title:E(`members.changeOwnRole`),question:E(`members.ownRoleQuestion`,{role:f(s.role)}),yes:E(`members.changeOwnRole`),onNo:()=>u(void 0),onYes:()=>void p.run({input:s}).then(e=>e&&location.reload())}),i&&(0,G.jsx)(je,{link:i},i.url),(0,G.jsx)(O,{of:n,children:({members:n})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:E(`word.MEMBERS`),rows:n.nodes,id:e=>e.id,columns:[{name:E(`members.person`),cell:e=>e.user.email},{name:E(`members.lastLogIn`),cell:e=>(0,G.jsx)(A,{at:e.user.lastLoginAt})},{name:E(`members.secondFactor`),cell:e=>e.user.secondFactorAt?(0,G.jsx)(F,{tone:`good`,children:E(`common.on`)}):(0,G.jsx)(F,{children:E(`common.off2`)})},{name:E(`members.role`),cell:t=>C(t)?(0,G.jsx)(w,{label:E(`members.roleOfEmail`,{email:t.user.email}),value:t.role,onChange:e=>{let n={id:t.id,role:e};S(t)?u(n):p.run({input:n})},options:v(e.role)}):f(t.role)},{name:``,cell:e=>(0,G.jsxs)(`span`,{className:`row`,children:[C(e)&&!S(e)&&(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(m,{needs:`ADMIN`,label:E(`members.resetPassword`),question:E(`members.createAPasswordResetLink`,{email:e.user.email}),busy:x.busy,onConfirm:()=>x.run({userId:e.user.id})}),(0,G.jsx)(m,{needs:`ADMIN`,label:E(`members.endSessions`),question:E(`members.endAllSessionsOfEmail`,{email:e.user.email}),busy:b.busy,onConfirm:()=>b.run({userId:e.user.id})}),(0,G.jsx)(m,{needs:`ADMIN`,label:E(`common.remove`),question:E(`members.removeEmailFromTheOrganization`,{email:e.user.email}),busy:g.busy,onConfirm:()=>g.run({id:e.id})})]}),S(e)&&(0,G.jsx)(m,{needs:`VIEWER`,label:E(`members.leave`),question:E(`members.leaveThisOrganizationYouNeed`),busy:g.busy,onConfirm:()=>void g.run({id:e.id}).then(e=>e&&location.reload())})]})}]}),(0,G.jsx)(k,{label:E(`word.MEMBERS`),pager:t,info:n.pageInfo})]})}),(0,G.jsx)(_,{needs:`ADMIN`,children:(0,G.jsx)(Q,{me:e,onLink:a})})]})}function je({link:e}){return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(P,{what:e.what,secret:new URL(e.url,location.origin).href}),(0,G.jsxs)(`p`,{className:`soft small`,children:[E(`members.usableOnce`),` `,e.mailed?E(`members.itWasAlsoSentBy`):E(`members.sendItToThemYourself`)]})]})}function Q({me:e,onLink:t}){let n=o(`invitations-`),r=l(L,n.variables),[i,a]=(0,V.useState)(``),[s,u]=(0,V.useState)(`VIEWER`),p=c(R,({createInvitation:e})=>{t({what:E(`members.invitationOf`,{email:e.invitation.email}),url:e.url,mailed:e.mailed}),a(``),r.reload()}),h=c(z,r.reload);return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(`h3`,{children:E(`members.invitations`)}),(0,G.jsx)(D,{error:h.error}),(0,G.jsx)(O,{of:r,children:({invitations:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:E(`members.invitations`),empty:E(`members.noPendingInvitations`),rows:t.nodes,id:e=>e.id,columns:[{name:E(`common.address`),cell:e=>e.email},{name:E(`members.role`),cell:e=>f(e.role)},{name:E(`members.invitedBy`),cell:e=>e.invitedBy||E(`members.theOperator`)},{name:E(`common.expires`),cell:e=>new Date(e.expiresAt)<new Date?(0,G.jsx)(F,{tone:`bad`,children:E(`members.expired`)}):(0,G.jsx)(A,{at:e.expiresAt})},{name:``,cell:t=>d(e.role,t.role)&&(0,G.jsx)(m,{needs:`ADMIN`,label:E(`common.revoke`),question:E(`members.revokeTheInvitationOfEmail`,{email:t.email}),busy:h.busy,onConfirm:()=>h.run({id:t.id})})}]}),(0,G.jsx)(k,{label:E(`members.invitations`),pager:n,info:t.pageInfo})]})}),(0,G.jsx)(x,{needs:`ADMIN`,submit:E(`members.invite`),action:p,onSubmit:()=>p.run({input:{email:i,role:s}}),children:(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(S,{label:E(`members.eMailAddressOfThe`),at:`email`,type:`email`,autoComplete:`off`,value:i,onChange:a,required:!0}),(0,G.jsx)(w,{label:E(`members.role`),at:`role`,value:s,onChange:e=>u(e),options:v(e.role)})]})})]})}function Me(){let e=l(_e,{}),t=c(ve,e.reload);return(0,G.jsxs)(N,{title:E(`organization.organization`),children:[(0,G.jsx)(D,{error:t.error}),(0,G.jsx)(O,{of:e,children:({currentOrganization:e})=>(0,G.jsxs)(`div`,{className:`row`,children:[(0,G.jsx)(b,{needs:`OWNER`,label:E(`organization.membersNeedASecondFactor`),on:e.requireSecondFactor,shown:e.requireSecondFactor?E(`organization.required`):E(`organization.optional`),busy:t.busy,onChange:n=>t.run({input:{id:e.id,requireSecondFactor:n}})}),(0,G.jsx)(`span`,{children:E(`organization.secondFactorOfMembersWhere`)})]})})]})}var Ne=[`ENVIRONMENTS`,`MEMBERS`,`KEYS`,`SETTINGS`];function Pe(){let e=o(`organization-keys-`),t=l(ye,e.variables),[n,r]=(0,V.useState)(``),[i,a]=(0,V.useState)(`90`),[u,d]=(0,V.useState)([]),[p,h]=(0,V.useState)(`P1D`),[g,v]=(0,V.useState)(``),y=c(be,e=>{v(e.createOrganizationKey.key),r(``),t.reload()},s),b=c(xe,e=>{v(e.rotateOrganizationKey.key),t.reload()},s),C=c(Se,t.reload);return(0,G.jsxs)(N,{title:E(`organization.organizationKeys`),children:[(0,G.jsx)(`p`,{className:`soft`,children:E(`organization.programsUseThemForEnvironments`)}),(0,G.jsx)(D,{error:C.error??b.error}),(0,G.jsx)(P,{what:E(`organization.theNewOrganizationKey`),secret:g},g),(0,G.jsx)(O,{of:t,children:({organizationKeys:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:E(`organization.organizationKeys`),rows:t.nodes,id:e=>e.id,columns:[{name:E(`common.name`),cell:e=>e.name},{name:E(`common.endsWith`),cell:e=>(0,G.jsx)(`code`,{children:e.hint})},{name:E(`common.scopes`),cell:e=>e.scopes.map(f).join(`, `)},{name:E(`common.lastUsed`),cell:e=>(0,G.jsx)(A,{at:e.lastUsedAt})},{name:E(`common.state`),cell:e=>(0,G.jsx)(X,{of:e})},{name:``,cell:e=>!K(e)&&(0,G.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,G.jsx)(m,{needs:`OWNER`,label:E(`organization.rotateName`,{name:e.name}),question:E(`organization.makeANewOrganizationKey`,{name:e.name,overlapOf:Y(p)}),busy:b.busy,onConfirm:()=>b.run({id:e.id,overlap:p})}),(0,G.jsx)(m,{needs:`OWNER`,label:E(`organization.revokeName`,{name:e.name}),question:E(`organization.revokeTheOrganizationKeyName`,{name:e.name}),busy:C.busy,onConfirm:()=>C.run({id:e.id})})]})}]}),(0,G.jsx)(k,{label:E(`organization.organizationKeys`),pager:e,info:t.pageInfo})]})}),(0,G.jsx)(_,{needs:`OWNER`,children:(0,G.jsx)(w,{label:E(`organization.aRotatedOrganizationKeyEnds`),value:p,onChange:h,options:J()})}),(0,G.jsxs)(x,{needs:`OWNER`,submit:E(`organization.createOrganizationKey`),action:y,onSubmit:()=>y.run({input:{name:n,scopes:u,expiresAt:W(i,new Date)??``}}),children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(S,{label:E(`organization.organizationKeyName`),at:`name`,value:n,onChange:r,required:!0}),(0,G.jsx)(w,{label:E(`organization.validFor`),at:`expiresAt`,value:i,onChange:a,options:q()})]}),(0,G.jsx)(Z,{among:Ne,chosen:u,onChange:d})]})]})}function Fe(){let[e,t]=(0,V.useState)(``),[n,r]=(0,V.useState)(``),i=c(re,()=>location.reload());return(0,G.jsx)(N,{title:E(`common.yourPassword`),children:(0,G.jsxs)(x,{needs:`VIEWER`,submit:E(`password.changePassword`),action:i,onSubmit:()=>i.run({input:{currentPassword:e,password:n}}),children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(S,{label:E(`password.currentPassword`),at:`currentPassword`,type:`password`,autoComplete:`current-password`,value:e,onChange:t,required:!0}),(0,G.jsx)(S,{label:E(`common.newPassword`),at:`password`,type:`password`,autoComplete:`new-password`,value:n,onChange:r,required:!0})]}),(0,G.jsx)(`p`,{className:`soft small`,children:E(`password.n10To200CharactersAll`)})]})})}function $({of:e,actions:t,children:n}){let r={environments:E(`environments.environmentsAndKeys`),members:E(`nav.members`)};return(0,G.jsxs)(ee,{title:r[e],actions:t,children:[(0,G.jsx)(j,{label:E(`nav.environments`),current:e,tabs:[[`environments`,E(`nav.environments`),`/environments`],[`members`,r.members,T]]}),n]})}function Ie({me:e,onChange:t}){return(0,G.jsxs)($,{of:`members`,children:[(0,G.jsx)(Ae,{me:e}),(0,G.jsx)(Me,{}),(0,G.jsx)(_,{needs:`ADMIN`,children:(0,G.jsx)(Pe,{})}),(0,G.jsx)(Fe,{}),(0,G.jsx)(ie,{me:e,onChange:t})]})}function Le({me:r,onChange:i}){let a=o(),s=l(ae,{...a.variables}),u=()=>{s.reload(),i()},d=c(I,u),[p,m]=(0,V.useState)(),[h,v]=(0,V.useState)(!1),[y,x]=(0,V.useState)();return(0,G.jsxs)($,{of:`environments`,actions:(0,G.jsx)(_,{needs:`ADMIN`,children:(0,G.jsx)(g,{icon:t,look:`primary`,onClick:()=>v(!0),children:E(`environments.newEnvironment`)})}),children:[(0,G.jsxs)(N,{title:E(`word.ENVIRONMENTS`),children:[(0,G.jsx)(D,{error:d.error}),(0,G.jsx)(O,{of:s,children:({environments:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:E(`word.ENVIRONMENTS`),rows:t.nodes,id:e=>e.id,columns:[{name:E(`common.name`),cell:e=>(0,G.jsxs)(`span`,{children:[e.name,` `,e.id===r.environment.id&&(0,G.jsx)(F,{children:E(`environments.current`)})]})},{name:E(`common.identifier`),cell:e=>(0,G.jsx)(`code`,{children:e.identifier})},{name:E(`environments.type`),cell:e=>f(e.type)},{name:E(`common.locale`),cell:e=>e.defaultLocale},{name:E(`common.status`),cell:e=>e.id===r.environment.id?f(`ACTIVE`):(0,G.jsx)(b,{needs:`ADMIN`,label:E(`environments.nameIsActive`,{name:e.name}),on:!e.suspended,shown:e.suspended?E(`environments.suspended`):E(`word.ACTIVE`),busy:d.busy,onChange:t=>d.run({input:{id:e.id,suspended:!t}})})},{name:``,cell:t=>(0,G.jsxs)(`span`,{className:`row`,children:[(0,G.jsx)(_,{needs:`ADMIN`,children:(0,G.jsx)(g,{icon:e,onClick:()=>x(t),"aria-label":E(`common.changeName`,{name:t.name}),children:E(`common.change`)})}),t.id!==r.environment.id&&(0,G.jsx)(_,{needs:t.type===`PRODUCTION`?`OWNER`:`ADMIN`,children:(0,G.jsx)(g,{icon:n,look:`danger`,onClick:()=>m(t),"aria-label":E(`common.deleteName`,{name:t.name}),children:E(`common.delete`)})})]})}]}),(0,G.jsx)(k,{label:E(`word.ENVIRONMENTS`),pager:a,info:t.pageInfo})]})})]}),(0,G.jsxs)(_,{needs:`ADMIN`,children:[(0,G.jsx)(Oe,{me:r}),(0,G.jsx)(ke,{environment:r.environment.name})]}),h&&(0,G.jsx)(Re,{onClose:()=>v(!1),onDone:()=>{v(!1),u()}}),p&&(0,G.jsx)(Be,{of:p,onClose:()=>m(void 0),onDone:()=>{m(void 0),u()}}),y&&(0,G.jsx)(ze,{of:y,onClose:()=>x(void 0),onDone:()=>{x(void 0),u()}})]})}function Re({onClose:e,onDone:t}){let[n,r]=(0,V.useState)(``),[i,a]=(0,V.useState)(``),[o,s]=(0,V.useState)(`DEVELOPMENT`),l=c(oe,t);return(0,G.jsx)(p,{title:E(`environments.newEnvironment`),onClose:e,children:(0,G.jsxs)(x,{needs:`ADMIN`,submit:E(`common.create`),action:l,onSubmit:()=>l.run({input:{identifier:n,name:i||void 0,type:o}}),children:[(0,G.jsx)(S,{label:E(`common.identifier`),at:`identifier`,value:n,onChange:r,required:!0,hint:E(`environments.lowerCaseLettersDigitsAnd`)}),(0,G.jsx)(S,{label:E(`common.name`),at:`name`,value:i,onChange:a}),(0,G.jsx)(w,{label:E(`environments.type`),at:`type`,value:o,onChange:e=>s(e),options:[`DEVELOPMENT`,`PRODUCTION`]})]})})}function ze({of:e,onClose:t,onDone:n}){let[r,i]=(0,V.useState)(e.name),[a,o]=(0,V.useState)(e.defaultLocale),s=c(I,n);return(0,G.jsx)(p,{title:E(`common.changeName`,{name:e.name}),onClose:t,children:(0,G.jsxs)(x,{needs:`ADMIN`,submit:E(`common.save`),action:s,onSubmit:()=>s.run({input:{id:e.id,name:r,defaultLocale:a}}),children:[(0,G.jsx)(S,{label:E(`common.name`),at:`name`,value:r,onChange:i,required:!0}),(0,G.jsx)(S,{label:E(`environments.defaultLocale`),at:`defaultLocale`,value:a,onChange:o,required:!0,hint:E(`environments.usedInTranslationsForSubscribers`)})]})})}function Be({of:e,onClose:t,onDone:n}){let[r,i]=(0,V.useState)(``),a=c(se,n);return(0,G.jsxs)(p,{title:E(`common.deleteName`,{name:e.name}),onClose:t,children:[(0,G.jsx)(`p`,{children:E(`environments.deletes`,{name:e.name})}),(0,G.jsx)(x,{needs:`ADMIN`,submit:E(`common.delete`),action:a,onSubmit:()=>a.run({id:e.id,name:r}),children:(0,G.jsx)(S,{label:E(`environments.typeNameToConfirm`,{name:e.name}),at:`name`,value:r,onChange:i,required:!0,autoComplete:`off`})})]})}export{Le as Environments,Ie as MembersPage};