import{t as e}from"./pencil-db9DW_K6.js";import{t}from"./plus-TwwWyVs2.js";import{t as n}from"./trash-erETvyGD.js";import{i as r,n as i,t as a}from"./jsx-runtime-DyZJNswf.js";import{r as o}from"./address-NG03ewlH.js";import{d as s,f as c,m as l,s as u,t as d}from"./document-dlEMawag.js";import{C as f,S as p,a as m,i as h,m as g,t as _,v,w as y,x as b}from"./button-Dgb5THJ5.js";import{a as x}from"./edited-D4mEspNB.js";import{c as S,i as C,l as w,n as T,s as E}from"./form-DrW5btIS.js";import{n as ee}from"./pages-62rUjh5b.js";import{c as D}from"./text-Dt6ehE6o.js";import{a as O,c as k,d as A,g as j,h as te,m as M,n as N,o as P,t as F,u as ne}from"./ui-CoQ-QTUx.js";import{r as re}from"./lists-CpmF0fzc.js";import{t as ie}from"./rich-BGhUkuLd.js";import{l as ae}from"./people-DGzGj707.js";import{t as oe}from"./second-factor-BSs4ZMSd.js";var se=new d(`
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
    `),ce=new d(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),I=new d(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),le=new d(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),ue=new d(`
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
    `),de=new d(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),fe=new d(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),pe=new d(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),L=new d(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),R=new d(`
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
    `),z=new d(`
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
    `),B=new d(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),me=new d(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),he=new d(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),ge=new d(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),_e=new d(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),ve=new d(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),ye=new d(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),be=new d(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),xe=new d(`
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
    `),Se=new d(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),Ce=new d(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),we=new d(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),Te=new d(`
    query Environment($id: ID!) {
  environment(id: $id) {
    name
    defaultLocale
  }
}
    `),V=r(i(),1),Ee=[`TRIGGER`,`AUDIENCE`,`AUDIENCE_READ`,`CONTENT`,`CONTENT_READ`,`INTEGRATIONS`,`INTEGRATIONS_READ`,`ACTIVITY`,`ACTIVITY_READ`,`KEYS`],H=[`TRIGGER`,`AUDIENCE`,`CONTENT`,`INTEGRATIONS`,`ACTIVITY`,`KEYS`],De={server:[`TRIGGER`,`AUDIENCE`,`CONTENT_READ`,`ACTIVITY_READ`],full:H},U=e=>e.endsWith(`_READ`)?D(`keys.readOnly`,{scope:p(e.slice(0,-5))}):p(e),Oe=e=>e.length===H.length&&H.every(t=>e.includes(t))?D(`keys.full`):e.map(U).join(`, `);function ke({revokedAt:e,expiresAt:t},n){return e?D(`keys.revoked`):t&&new Date(t)<n?D(`keys.expired`):``}var W=(e,t)=>e?new Date(t.getTime()+parseInt(e,10)*864e5).toISOString():void 0,G=a(),K=e=>ke(e,new Date),q=()=>[{value:`30`,label:D(`keys.life.n30Days`)},{value:`90`,label:D(`keys.life.n90Days`)},{value:`365`,label:D(`keys.life.oneYear`)}],J=()=>[`PT0S`,`PT1H`,`P1D`,`P7D`,`P30D`].map(e=>({value:e,label:D(`keys.overlap.${e}`)})),Y=e=>J().find(t=>t.value===e)?.label??e;function X({of:e}){return K(e)?(0,G.jsx)(F,{tone:`bad`,children:K(e)}):(0,G.jsxs)(`span`,{children:[(0,G.jsx)(F,{tone:`good`,children:D(`keys.valid`)}),` `,e.expiresAt&&(0,G.jsx)(G.Fragment,{children:ie(`keys.until`,{when:(0,G.jsx)(j,{at:e.expiresAt})})}),` `,e.successorId&&(0,G.jsx)(F,{children:D(`keys.replaced`)})]})}var Ae=()=>[{value:`full`,label:D(`keys.full`)},{value:`server`,label:D(`keys.server`)},{value:`chosen`,label:D(`keys.custom`)}];function Z({among:e,chosen:t,onChange:n}){return(0,G.jsxs)(`fieldset`,{children:[(0,G.jsx)(`legend`,{children:D(`common.scopes`)}),e.map(e=>(0,G.jsx)(T,{label:U(e),value:t.includes(e),onChange:r=>n(re(t,e,r))},e))]})}function je({me:e}){let t=e.environment.id,n=o(`keys-`),r=l(ue,{environmentId:t,...n.variables}),[i,a]=(0,V.useState)(``),[u,d]=(0,V.useState)(``),[f,p]=(0,V.useState)(`full`),[m,g]=(0,V.useState)([]),[_,v]=(0,V.useState)(`P1D`),[y,b]=(0,V.useState)(``),x=c(de,e=>{b(e.createApiKey.key),a(``),r.reload()}),S=c(fe,e=>{b(e.rotateApiKey.key),r.reload()}),T=s(L,r.reload);return(0,G.jsxs)(N,{title:D(`keys.aPIKeysOfName`,{name:e.environment.name}),children:[(0,G.jsx)(O,{error:T.error??S.error}),(0,G.jsx)(P,{what:D(`keys.theNewKey`),secret:y},y),(0,G.jsx)(k,{of:r,children:({apiKeys:e})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:D(`keys.aPIKeys`),rows:e.nodes,id:e=>e.id,columns:[{name:D(`common.name`),cell:e=>e.name},{name:D(`common.endsWith`),cell:e=>(0,G.jsx)(`code`,{children:e.hint})},{name:D(`common.scopes`),cell:e=>Oe(e.scopes)},{name:D(`common.lastUsed`),cell:e=>(0,G.jsx)(j,{at:e.lastUsedAt})},{name:D(`common.state`),cell:e=>(0,G.jsx)(X,{of:e})},{name:``,cell:e=>!K(e)&&(0,G.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,G.jsx)(h,{needs:`ADMIN`,label:D(`keys.rotate`),question:D(`keys.createANewKeyName`,{name:e.name,overlapOf:Y(_)}),busy:S.busy,onConfirm:()=>S.run({id:e.id,environmentId:t,overlap:_})}),(0,G.jsx)(h,{needs:`ADMIN`,label:D(`common.revoke`),question:D(`keys.revokeTheKeyNameRequests`,{name:e.name}),busy:T.busy,onConfirm:()=>T.run({id:e.id,environmentId:t})})]})}]}),(0,G.jsx)(A,{label:D(`keys.aPIKeys`),pager:n,info:e.pageInfo}),(0,G.jsx)(E,{label:D(`keys.revokeRotatedKeys`),value:_,onChange:v,options:J()})]})}),(0,G.jsxs)(C,{needs:`ADMIN`,submit:D(`keys.createKey`),action:x,onSubmit:()=>x.run({input:{name:i,environmentId:t,scopes:De[f]??m,expiresAt:W(u,new Date)}}),children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(w,{label:D(`keys.keyName`),at:`name`,value:i,onChange:a,required:!0}),(0,G.jsx)(E,{label:D(`keys.access`),at:`scopes`,value:f,onChange:p,options:Ae()}),(0,G.jsx)(E,{label:D(`common.expires`),at:`expiresAt`,value:u,onChange:d,options:[{value:``,label:D(`keys.life.never`)},...q()]})]}),f===`chosen`&&(0,G.jsx)(Z,{among:Ee,chosen:m,onChange:g})]})]})}function Me({environment:e}){let[t,n]=(0,V.useState)(``),r=c(pe,e=>n(e.rotateInboxSecret.inboxSecret));return(0,G.jsxs)(N,{title:D(`keys.inboxSecretOfEnvironment`,{environment:e}),children:[(0,G.jsx)(`p`,{className:`soft`,children:D(`keys.yourBackendAuthenticatesInboxUsers`)}),(0,G.jsx)(O,{error:r.error}),(0,G.jsx)(P,{what:D(`keys.theNewSecret`),secret:t},t),(0,G.jsx)(`div`,{className:`row end`,children:(0,G.jsx)(h,{needs:`ADMIN`,label:D(`keys.rotateSecret`),question:D(`keys.createANewSecretInboxes`),busy:r.busy,onConfirm:()=>r.run({})})})]})}function Ne({me:e}){let t=o(`members-`),n=l(R,t.variables),r=b(`ADMIN`),[i,a]=(0,V.useState)(),[c,u]=(0,V.useState)(),d=s(_e,n.reload),m=s(ve,n.reload),_=s(ge,n.reload),x=s(he,({createPasswordReset:e})=>a({what:D(`members.resetLinkOf`,{email:e.user.email}),url:e.url,mailed:e.mailed})),S=t=>t.user.internalId===e.user?.internalId,C=t=>r&&f(e.role,t.role);return(0,G.jsxs)(N,{title:D(`word.MEMBERS`),children:[(0,G.jsx)(O,{error:d.error??m.error??x.error??_.error}),c&&(0,G.jsx)(g,{title:D(`members.changeOwnRole`),question:D(`members.ownRoleQuestion`,{role:p(c.role)}),yes:D(`members.changeOwnRole`),onNo:()=>u(void 0),onYes:()=>void d.run({input:c}).then(e=>e&&location.reload())}),i&&(0,G.jsx)(Pe,{link:i},i.url),(0,G.jsx)(k,{of:n,children:({members:n})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:D(`word.MEMBERS`),rows:n.nodes,id:e=>e.id,columns:[{name:D(`members.person`),cell:e=>e.user.email},{name:D(`members.lastLogIn`),cell:e=>(0,G.jsx)(j,{at:e.user.lastLoginAt})},{name:D(`members.secondFactor`),cell:e=>e.user.secondFactorAt?(0,G.jsx)(F,{tone:`good`,children:D(`common.on`)}):(0,G.jsx)(F,{children:D(`common.off2`)})},{name:D(`members.role`),cell:t=>C(t)?(0,G.jsx)(E,{label:D(`members.roleOfEmail`,{email:t.user.email}),value:t.role,onChange:e=>{let n={id:t.id,role:e};S(t)?u(n):d.run({input:n})},options:y(e.role)}):p(t.role)},{name:``,cell:e=>(0,G.jsxs)(`span`,{className:`row`,children:[C(e)&&!S(e)&&(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(h,{needs:`ADMIN`,label:D(`members.resetPassword`),question:D(`members.createAPasswordResetLink`,{email:e.user.email}),busy:x.busy,onConfirm:()=>x.run({userId:e.user.id})}),(0,G.jsx)(h,{needs:`ADMIN`,label:D(`members.endSessions`),question:D(`members.endAllSessionsOfEmail`,{email:e.user.email}),busy:_.busy,onConfirm:()=>_.run({userId:e.user.id})}),(0,G.jsx)(h,{needs:`ADMIN`,label:D(`common.remove`),question:D(`members.removeEmailFromTheOrganization`,{email:e.user.email}),busy:m.busy,onConfirm:()=>m.run({id:e.id})})]}),S(e)&&(0,G.jsx)(h,{needs:`VIEWER`,label:D(`members.leave`),question:D(`members.leaveThisOrganizationYouNeed`),busy:m.busy,onConfirm:()=>void m.run({id:e.id}).then(e=>e&&location.reload())})]})}]}),(0,G.jsx)(A,{label:D(`word.MEMBERS`),pager:t,info:n.pageInfo})]})}),(0,G.jsx)(v,{needs:`ADMIN`,children:(0,G.jsx)(Fe,{me:e,onLink:a})})]})}function Pe({link:e}){return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(P,{what:e.what,secret:new URL(e.url,location.origin).href}),(0,G.jsxs)(`p`,{className:`soft small`,children:[D(`members.usableOnce`),` `,e.mailed?D(`members.itWasAlsoSentBy`):D(`members.sendItToThemYourself`)]})]})}function Fe({me:e,onLink:t}){let n=o(`invitations-`),r=l(z,n.variables),[i,a]=(0,V.useState)(``),[c,u]=(0,V.useState)(`VIEWER`),d=s(B,({createInvitation:e})=>{t({what:D(`members.invitationOf`,{email:e.invitation.email}),url:e.url,mailed:e.mailed}),a(``),r.reload()}),m=s(me,r.reload);return(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(`h3`,{children:D(`members.invitations`)}),(0,G.jsx)(O,{error:m.error}),(0,G.jsx)(k,{of:r,children:({invitations:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:D(`members.invitations`),empty:D(`members.noPendingInvitations`),rows:t.nodes,id:e=>e.id,columns:[{name:D(`common.address`),cell:e=>e.email},{name:D(`members.role`),cell:e=>p(e.role)},{name:D(`members.invitedBy`),cell:e=>e.invitedBy||D(`members.theOperator`)},{name:D(`common.expires`),cell:e=>new Date(e.expiresAt)<new Date?(0,G.jsx)(F,{tone:`bad`,children:D(`members.expired`)}):(0,G.jsx)(j,{at:e.expiresAt})},{name:``,cell:t=>f(e.role,t.role)&&(0,G.jsx)(h,{needs:`ADMIN`,label:D(`common.revoke`),question:D(`members.revokeTheInvitationOfEmail`,{email:t.email}),busy:m.busy,onConfirm:()=>m.run({id:t.id})})}]}),(0,G.jsx)(A,{label:D(`members.invitations`),pager:n,info:t.pageInfo})]})}),(0,G.jsx)(C,{needs:`ADMIN`,submit:D(`members.invite`),action:d,onSubmit:()=>d.run({input:{email:i,role:c}}),children:(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(w,{label:D(`members.eMailAddressOfThe`),at:`email`,type:`email`,autoComplete:`off`,value:i,onChange:a,required:!0}),(0,G.jsx)(E,{label:D(`members.role`),at:`role`,value:c,onChange:e=>u(e),options:y(e.role)})]})})]})}function Q(){let e=l(ye,{}),t=s(be,e.reload);return(0,G.jsxs)(N,{title:D(`organization.organization`),children:[(0,G.jsx)(O,{error:t.error}),(0,G.jsx)(k,{of:e,children:({currentOrganization:e})=>(0,G.jsxs)(`div`,{className:`row`,children:[(0,G.jsx)(S,{needs:`OWNER`,label:D(`organization.membersNeedASecondFactor`),on:e.requireSecondFactor,shown:e.requireSecondFactor?D(`organization.required`):D(`organization.optional`),busy:t.busy,onChange:n=>t.run({input:{id:e.id,requireSecondFactor:n}})}),(0,G.jsx)(`span`,{children:D(`organization.secondFactorOfMembersWhere`)})]})})]})}var Ie=[`ENVIRONMENTS`,`MEMBERS`,`KEYS`,`SETTINGS`];function Le(){let e=o(`organization-keys-`),t=l(xe,e.variables),[n,r]=(0,V.useState)(``),[i,a]=(0,V.useState)(`90`),[u,d]=(0,V.useState)([]),[f,m]=(0,V.useState)(`P1D`),[g,_]=(0,V.useState)(``),y=c(Se,e=>{_(e.createOrganizationKey.key),r(``),t.reload()}),b=c(Ce,e=>{_(e.rotateOrganizationKey.key),t.reload()}),x=s(we,t.reload);return(0,G.jsxs)(N,{title:D(`organization.organizationKeys`),children:[(0,G.jsx)(`p`,{className:`soft`,children:D(`organization.programsUseThemForEnvironments`)}),(0,G.jsx)(O,{error:x.error??b.error}),(0,G.jsx)(P,{what:D(`organization.theNewOrganizationKey`),secret:g},g),(0,G.jsx)(k,{of:t,children:({organizationKeys:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:D(`organization.organizationKeys`),rows:t.nodes,id:e=>e.id,columns:[{name:D(`common.name`),cell:e=>e.name},{name:D(`common.endsWith`),cell:e=>(0,G.jsx)(`code`,{children:e.hint})},{name:D(`common.scopes`),cell:e=>e.scopes.map(p).join(`, `)},{name:D(`common.lastUsed`),cell:e=>(0,G.jsx)(j,{at:e.lastUsedAt})},{name:D(`common.state`),cell:e=>(0,G.jsx)(X,{of:e})},{name:``,cell:e=>!K(e)&&(0,G.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,G.jsx)(h,{needs:`OWNER`,label:D(`organization.rotateName`,{name:e.name}),question:D(`organization.makeANewOrganizationKey`,{name:e.name,overlapOf:Y(f)}),busy:b.busy,onConfirm:()=>b.run({id:e.id,overlap:f})}),(0,G.jsx)(h,{needs:`OWNER`,label:D(`organization.revokeName`,{name:e.name}),question:D(`organization.revokeTheOrganizationKeyName`,{name:e.name}),busy:x.busy,onConfirm:()=>x.run({id:e.id})})]})}]}),(0,G.jsx)(A,{label:D(`organization.organizationKeys`),pager:e,info:t.pageInfo})]})}),(0,G.jsx)(v,{needs:`OWNER`,children:(0,G.jsx)(E,{label:D(`organization.aRotatedOrganizationKeyEnds`),value:f,onChange:m,options:J()})}),(0,G.jsxs)(C,{needs:`OWNER`,submit:D(`organization.createOrganizationKey`),action:y,onSubmit:()=>y.run({input:{name:n,scopes:u,expiresAt:W(i,new Date)??``}}),children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(w,{label:D(`organization.organizationKeyName`),at:`name`,value:n,onChange:r,required:!0}),(0,G.jsx)(E,{label:D(`organization.validFor`),at:`expiresAt`,value:i,onChange:a,options:q()})]}),(0,G.jsx)(Z,{among:Ie,chosen:u,onChange:d})]})]})}function Re(){let[e,t]=(0,V.useState)(``),[n,r]=(0,V.useState)(``),i=s(ae,()=>location.reload());return(0,G.jsx)(N,{title:D(`common.yourPassword`),children:(0,G.jsxs)(C,{needs:`VIEWER`,submit:D(`password.changePassword`),action:i,onSubmit:()=>i.run({input:{currentPassword:e,password:n}}),children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(w,{label:D(`password.currentPassword`),at:`currentPassword`,type:`password`,autoComplete:`current-password`,value:e,onChange:t,required:!0}),(0,G.jsx)(w,{label:D(`common.newPassword`),at:`password`,type:`password`,autoComplete:`new-password`,value:n,onChange:r,required:!0})]}),(0,G.jsx)(`p`,{className:`soft small`,children:D(`password.n10To200CharactersAll`)})]})})}function $({of:e,actions:t,children:n}){let r={environments:D(`environments.environmentsAndKeys`),members:D(`nav.members`)};return(0,G.jsxs)(ne,{title:r[e],actions:t,children:[(0,G.jsx)(te,{label:D(`nav.environments`),current:e,tabs:[[`environments`,D(`nav.environments`),`/environments`],[`members`,r.members,ee]]}),n]})}function ze({me:e,onChange:t}){return(0,G.jsxs)($,{of:`members`,children:[(0,G.jsx)(Ne,{me:e}),(0,G.jsx)(Q,{}),(0,G.jsx)(v,{needs:`ADMIN`,children:(0,G.jsx)(Le,{})}),(0,G.jsx)(Re,{}),(0,G.jsx)(oe,{me:e,onChange:t})]})}function Be({me:r,onChange:i}){let a=o(),c=l(se,{...a.variables}),u=()=>{c.reload(),i()},d=s(I,u),[f,m]=(0,V.useState)(),[h,g]=(0,V.useState)(!1),[y,b]=(0,V.useState)();return(0,G.jsxs)($,{of:`environments`,actions:(0,G.jsx)(v,{needs:`ADMIN`,children:(0,G.jsx)(_,{icon:t,look:`primary`,onClick:()=>g(!0),children:D(`environments.newEnvironment`)})}),children:[(0,G.jsxs)(N,{title:D(`word.ENVIRONMENTS`),children:[(0,G.jsx)(O,{error:d.error}),(0,G.jsx)(k,{of:c,children:({environments:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(M,{label:D(`word.ENVIRONMENTS`),rows:t.nodes,id:e=>e.id,columns:[{name:D(`common.name`),cell:e=>(0,G.jsxs)(`span`,{children:[e.name,` `,e.id===r.environment.id&&(0,G.jsx)(F,{children:D(`environments.current`)})]})},{name:D(`common.identifier`),cell:e=>(0,G.jsx)(`code`,{children:e.identifier})},{name:D(`environments.type`),cell:e=>p(e.type)},{name:D(`common.locale`),cell:e=>e.defaultLocale},{name:D(`common.status`),cell:e=>e.id===r.environment.id?p(`ACTIVE`):(0,G.jsx)(S,{needs:`ADMIN`,label:D(`environments.nameIsActive`,{name:e.name}),on:!e.suspended,shown:e.suspended?D(`environments.suspended`):D(`word.ACTIVE`),busy:d.busy,onChange:t=>d.run({input:{id:e.id,suspended:!t}})})},{name:``,cell:t=>(0,G.jsxs)(`span`,{className:`row`,children:[(0,G.jsx)(v,{needs:`ADMIN`,children:(0,G.jsx)(_,{icon:e,onClick:()=>b(t),"aria-label":D(`common.changeName`,{name:t.name}),children:D(`common.change`)})}),t.id!==r.environment.id&&(0,G.jsx)(v,{needs:t.type===`PRODUCTION`?`OWNER`:`ADMIN`,children:(0,G.jsx)(_,{icon:n,look:`danger`,onClick:()=>m(t),"aria-label":D(`common.deleteName`,{name:t.name}),children:D(`common.delete`)})})]})}]}),(0,G.jsx)(A,{label:D(`word.ENVIRONMENTS`),pager:a,info:t.pageInfo})]})})]}),(0,G.jsxs)(v,{needs:`ADMIN`,children:[(0,G.jsx)(je,{me:r}),(0,G.jsx)(Me,{environment:r.environment.name})]}),h&&(0,G.jsx)(Ve,{onClose:()=>g(!1),onDone:()=>{g(!1),u()}}),f&&(0,G.jsx)(Ue,{of:f,onClose:()=>m(void 0),onDone:()=>{m(void 0),u()}}),y&&(0,G.jsx)(He,{of:y,onClose:()=>b(void 0),onDone:()=>{b(void 0),u()}})]})}function Ve({onClose:e,onDone:t}){let[n,r]=(0,V.useState)(``),[i,a]=(0,V.useState)(``),[o,c]=(0,V.useState)(`DEVELOPMENT`),l=s(ce,t);return(0,G.jsx)(m,{title:D(`environments.newEnvironment`),onClose:e,children:(0,G.jsxs)(C,{needs:`ADMIN`,submit:D(`common.create`),action:l,onSubmit:()=>l.run({input:{identifier:n,name:i||void 0,type:o}}),children:[(0,G.jsx)(w,{label:D(`common.identifier`),at:`identifier`,value:n,onChange:r,required:!0,hint:D(`environments.lowerCaseLettersDigitsAnd`)}),(0,G.jsx)(w,{label:D(`common.name`),at:`name`,value:i,onChange:a}),(0,G.jsx)(E,{label:D(`environments.type`),at:`type`,value:o,onChange:e=>c(e),options:[`DEVELOPMENT`,`PRODUCTION`]})]})})}function He({of:e,onClose:t,onDone:n}){let r=x({of:e,valuesOf:({name:e,defaultLocale:t})=>({name:e,defaultLocale:t}),read:async()=>(await u(Te,{id:e.id})).environment,send:t=>u(I,{input:{id:e.id,...t}}),onSaved:n});return(0,G.jsx)(m,{title:D(`common.changeName`,{name:e.name}),onClose:t,children:(0,G.jsxs)(C,{needs:`ADMIN`,submit:D(`common.save`),action:r,onSubmit:r.save,children:[(0,G.jsx)(w,{label:D(`common.name`),at:`name`,value:r.values.name,onChange:e=>r.set({name:e}),required:!0}),(0,G.jsx)(w,{label:D(`environments.defaultLocale`),at:`defaultLocale`,value:r.values.defaultLocale,onChange:e=>r.set({defaultLocale:e}),required:!0,hint:D(`environments.usedInTranslationsForSubscribers`)})]})})}function Ue({of:e,onClose:t,onDone:n}){let[r,i]=(0,V.useState)(``),a=s(le,n);return(0,G.jsxs)(m,{title:D(`common.deleteName`,{name:e.name}),onClose:t,children:[(0,G.jsx)(`p`,{children:D(`environments.deletes`,{name:e.name})}),(0,G.jsx)(C,{needs:`ADMIN`,submit:D(`common.delete`),action:a,onSubmit:()=>a.run({id:e.id,name:r}),children:(0,G.jsx)(w,{label:D(`environments.typeNameToConfirm`,{name:e.name}),at:`name`,value:r,onChange:i,required:!0,autoComplete:`off`})})]})}export{Be as Environments,ze as MembersPage};