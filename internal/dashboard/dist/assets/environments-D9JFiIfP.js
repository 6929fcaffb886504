import{t as e}from"./pencil-oGPZj3JN.js";import{t}from"./plus-DMsR_D0x.js";import{t as n}from"./trash-B1RwUmsa.js";import{i as r,n as i,t as a}from"./jsx-runtime-DyZJNswf.js";import{r as o}from"./address-AAVe8LmF.js";import{f as s,s as c,t as l,u}from"./document-DOpnm8OA.js";import{_ as d,a as f,b as p,i as m,t as h,x as g,y as _}from"./button-DrZok8y8.js";import{c as v,i as y,l as b,n as x,s as S}from"./form-LUm_ZQFx.js";import{n as C}from"./pages-f3fWI4h1.js";import{c as w}from"./text-AeBTDtkA.js";import{a as T,c as E,d as D,g as O,h as k,m as A,n as j,o as M,t as N,u as P}from"./ui-Bua6Uujo.js";import{t as F}from"./words-BFceARnm.js";import{r as ee}from"./lists-CpmF0fzc.js";import{t as te}from"./rich-DD54EQXV.js";import{l as ne}from"./people-DngkE2wL.js";import{t as re}from"./second-factor-CCoCxH7z.js";var ie=new l(`
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
    `),ae=new l(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),I=new l(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    environment {
      id
    }
  }
}
    `),oe=new l(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    deletedId
  }
}
    `),se=new l(`
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
    `),ce=new l(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),le=new l(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),ue=new l(`
    mutation RotateInboxSecret {
  rotateInboxSecret {
    inboxSecret
  }
}
    `),de=new l(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    apiKey {
      id
    }
  }
}
    `),fe=new l(`
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
    `),L=new l(`
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
    `),R=new l(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),z=new l(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    deletedId
  }
}
    `),B=new l(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),V=new l(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    user {
      id
    }
  }
}
    `),pe=new l(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    member {
      id
    }
  }
}
    `),me=new l(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    deletedId
  }
}
    `),he=new l(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),ge=new l(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    organization {
      id
    }
  }
}
    `),_e=new l(`
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
    `),ve=new l(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),ye=new l(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),be=new l(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    organizationKey {
      id
    }
  }
}
    `),H=r(i(),1),xe=[`TRIGGER`,`AUDIENCE`,`AUDIENCE_READ`,`CONTENT`,`CONTENT_READ`,`INTEGRATIONS`,`INTEGRATIONS_READ`,`ACTIVITY`,`ACTIVITY_READ`,`KEYS`],U=[`TRIGGER`,`AUDIENCE`,`CONTENT`,`INTEGRATIONS`,`ACTIVITY`,`KEYS`],Se={server:[`TRIGGER`,`AUDIENCE`,`CONTENT_READ`,`ACTIVITY_READ`],full:U},W=e=>e.endsWith(`_READ`)?w(`keys.readOnly`,{scope:F(e.slice(0,-5))}):F(e),Ce=e=>e.length===U.length&&U.every(t=>e.includes(t))?w(`keys.full`):e.map(W).join(`, `);function we({revokedAt:e,expiresAt:t},n){return e?w(`keys.revoked`):t&&new Date(t)<n?w(`keys.expired`):``}var G=(e,t)=>e?new Date(t.getTime()+parseInt(e,10)*864e5).toISOString():void 0,K=a(),q=e=>we(e,new Date),Te=()=>[{value:``,label:w(`keys.life.never`)},{value:`30`,label:w(`keys.life.n30Days`)},{value:`90`,label:w(`keys.life.n90Days`)},{value:`365`,label:w(`keys.life.oneYear`)}],J=()=>[`PT0S`,`PT1H`,`P1D`,`P7D`,`P30D`].map(e=>({value:e,label:w(`keys.overlap.${e}`)})),Y=e=>J().find(t=>t.value===e)?.label??e;function X({of:e}){return q(e)?(0,K.jsx)(N,{tone:`bad`,children:q(e)}):(0,K.jsxs)(`span`,{children:[(0,K.jsx)(N,{tone:`good`,children:w(`keys.valid`)}),` `,e.expiresAt&&(0,K.jsx)(K.Fragment,{children:te(`keys.until`,{when:(0,K.jsx)(O,{at:e.expiresAt})})}),` `,e.successorId&&(0,K.jsx)(N,{children:w(`keys.replaced`)})]})}var Ee=()=>[{value:`full`,label:w(`keys.full`)},{value:`server`,label:w(`keys.server`)},{value:`chosen`,label:w(`keys.custom`)}];function Z({among:e,chosen:t,onChange:n}){return(0,K.jsxs)(`fieldset`,{children:[(0,K.jsx)(`legend`,{children:w(`common.scopes`)}),e.map(e=>(0,K.jsx)(x,{label:W(e),value:t.includes(e),onChange:r=>n(ee(t,e,r))},e))]})}function De({me:e}){let t=e.environment.id,n=o(`keys-`),r=s(se,{environmentId:t,...n.variables}),[i,a]=(0,H.useState)(``),[l,d]=(0,H.useState)(``),[f,p]=(0,H.useState)(`full`),[h,g]=(0,H.useState)([]),[_,v]=(0,H.useState)(`P1D`),[x,C]=(0,H.useState)(``),k=u(ce,e=>{C(e.createApiKey.key),a(``),r.reload()},c),N=u(le,e=>{C(e.rotateApiKey.key),r.reload()},c),P=u(de,r.reload);return(0,K.jsxs)(j,{title:w(`keys.aPIKeysOfName`,{name:e.environment.name}),children:[(0,K.jsx)(T,{error:P.error??N.error}),(0,K.jsx)(M,{what:w(`keys.theNewKey`),secret:x},x),(0,K.jsx)(E,{of:r,children:({apiKeys:e})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(A,{label:w(`keys.aPIKeys`),rows:e.nodes,id:e=>e.id,columns:[{name:w(`common.name`),cell:e=>e.name},{name:w(`common.endsWith`),cell:e=>(0,K.jsx)(`code`,{children:e.hint})},{name:w(`common.scopes`),cell:e=>Ce(e.scopes)},{name:w(`common.lastUsed`),cell:e=>(0,K.jsx)(O,{at:e.lastUsedAt})},{name:w(`common.state`),cell:e=>(0,K.jsx)(X,{of:e})},{name:``,cell:e=>!q(e)&&(0,K.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,K.jsx)(m,{needs:`ADMIN`,label:w(`keys.rotate`),question:w(`keys.createANewKeyName`,{name:e.name,overlapOf:Y(_)}),busy:N.busy,onConfirm:()=>N.run({id:e.id,environmentId:t,overlap:_})}),(0,K.jsx)(m,{needs:`ADMIN`,label:w(`common.revoke`),question:w(`keys.revokeTheKeyNameRequests`,{name:e.name}),busy:P.busy,onConfirm:()=>P.run({id:e.id,environmentId:t})})]})}]}),(0,K.jsx)(D,{label:w(`keys.aPIKeys`),pager:n,info:e.pageInfo}),(0,K.jsx)(S,{label:w(`keys.revokeRotatedKeys`),value:_,onChange:v,options:J()})]})}),(0,K.jsxs)(y,{needs:`ADMIN`,submit:w(`keys.createKey`),action:k,onSubmit:()=>k.run({input:{name:i,environmentId:t,scopes:Se[f]??h,expiresAt:G(l,new Date)}}),children:[(0,K.jsxs)(`div`,{className:`filters`,children:[(0,K.jsx)(b,{label:w(`keys.keyName`),at:`name`,value:i,onChange:a,required:!0}),(0,K.jsx)(S,{label:w(`keys.access`),at:`scopes`,value:f,onChange:p,options:Ee()}),(0,K.jsx)(S,{label:w(`common.expires`),at:`expiresAt`,value:l,onChange:d,options:Te()})]}),f===`chosen`&&(0,K.jsx)(Z,{among:xe,chosen:h,onChange:g})]})]})}function Oe({environment:e}){let[t,n]=(0,H.useState)(``),r=u(ue,e=>n(e.rotateInboxSecret.inboxSecret),c);return(0,K.jsxs)(j,{title:w(`keys.inboxSecretOfEnvironment`,{environment:e}),children:[(0,K.jsx)(`p`,{className:`soft`,children:w(`keys.yourBackendAuthenticatesInboxUsers`)}),(0,K.jsx)(T,{error:r.error}),(0,K.jsx)(M,{what:w(`keys.theNewSecret`),secret:t},t),(0,K.jsx)(`div`,{className:`row end`,children:(0,K.jsx)(m,{needs:`ADMIN`,label:w(`keys.rotateSecret`),question:w(`keys.createANewSecretInboxes`),busy:r.busy,onConfirm:()=>r.run({})})})]})}function Q({me:e}){let t=o(`members-`),n=s(fe,t.variables),r=_(`ADMIN`),[i,a]=(0,H.useState)(),c=u(pe,n.reload),l=u(me,n.reload),f=u(V,n.reload),h=u(B,({createPasswordReset:e})=>a({what:w(`members.resetLinkOf`,{email:e.user.email}),url:e.url,mailed:e.mailed})),v=t=>t.user.internalId===e.user?.internalId,y=t=>r&&p(e.role,t.role);return(0,K.jsxs)(j,{title:w(`word.MEMBERS`),children:[(0,K.jsx)(T,{error:c.error??l.error??h.error??f.error}),i&&(0,K.jsx)(ke,{link:i},i.url),(0,K.jsx)(E,{of:n,children:({members:n})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(A,{label:w(`word.MEMBERS`),rows:n.nodes,id:e=>e.id,columns:[{name:w(`members.person`),cell:e=>e.user.email},{name:w(`members.lastLogIn`),cell:e=>(0,K.jsx)(O,{at:e.user.lastLoginAt})},{name:w(`members.secondFactor`),cell:e=>e.user.secondFactorAt?(0,K.jsx)(N,{tone:`good`,children:w(`common.on`)}):(0,K.jsx)(N,{children:w(`common.off2`)})},{name:w(`members.role`),cell:t=>y(t)?(0,K.jsx)(S,{label:w(`members.roleOfEmail`,{email:t.user.email}),value:t.role,onChange:e=>c.run({input:{id:t.id,role:e}}),options:g(e.role)}):F(t.role)},{name:``,cell:e=>(0,K.jsxs)(`span`,{className:`row`,children:[y(e)&&!v(e)&&(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(m,{needs:`ADMIN`,label:w(`members.resetPassword`),question:w(`members.createAPasswordResetLink`,{email:e.user.email}),busy:h.busy,onConfirm:()=>h.run({userId:e.user.id})}),(0,K.jsx)(m,{needs:`ADMIN`,label:w(`members.endSessions`),question:w(`members.endAllSessionsOfEmail`,{email:e.user.email}),busy:f.busy,onConfirm:()=>f.run({userId:e.user.id})}),(0,K.jsx)(m,{needs:`ADMIN`,label:w(`common.remove`),question:w(`members.removeEmailFromTheOrganization`,{email:e.user.email}),busy:l.busy,onConfirm:()=>l.run({id:e.id})})]}),v(e)&&(0,K.jsx)(m,{needs:`VIEWER`,label:w(`members.leave`),question:w(`members.leaveThisOrganizationYouNeed`),busy:l.busy,onConfirm:()=>void l.run({id:e.id}).then(e=>e&&location.reload())})]})}]}),(0,K.jsx)(D,{label:w(`word.MEMBERS`),pager:t,info:n.pageInfo})]})}),(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsx)(Ae,{me:e,onLink:a})})]})}function ke({link:e}){return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(M,{what:e.what,secret:new URL(e.url,location.origin).href}),(0,K.jsxs)(`p`,{className:`soft small`,children:[w(`members.usableOnce`),` `,e.mailed?w(`members.itWasAlsoSentBy`):w(`members.sendItToThemYourself`)]})]})}function Ae({me:e,onLink:t}){let n=o(`invitations-`),r=s(L,n.variables),[i,a]=(0,H.useState)(``),[c,l]=(0,H.useState)(`VIEWER`),d=u(R,({createInvitation:e})=>{t({what:w(`members.invitationOf`,{email:e.invitation.email}),url:e.url,mailed:e.mailed}),a(``),r.reload()}),f=u(z,r.reload);return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(`h3`,{children:w(`members.invitations`)}),(0,K.jsx)(T,{error:f.error}),(0,K.jsx)(E,{of:r,children:({invitations:t})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(A,{label:w(`members.invitations`),empty:w(`members.noPendingInvitations`),rows:t.nodes,id:e=>e.id,columns:[{name:w(`common.address`),cell:e=>e.email},{name:w(`members.role`),cell:e=>F(e.role)},{name:w(`members.invitedBy`),cell:e=>e.invitedBy||w(`members.theOperator`)},{name:w(`common.expires`),cell:e=>new Date(e.expiresAt)<new Date?(0,K.jsx)(N,{tone:`bad`,children:w(`members.expired`)}):(0,K.jsx)(O,{at:e.expiresAt})},{name:``,cell:t=>p(e.role,t.role)&&(0,K.jsx)(m,{needs:`ADMIN`,label:w(`common.revoke`),question:w(`members.revokeTheInvitationOfEmail`,{email:t.email}),busy:f.busy,onConfirm:()=>f.run({id:t.id})})}]}),(0,K.jsx)(D,{label:w(`members.invitations`),pager:n,info:t.pageInfo})]})}),(0,K.jsx)(y,{needs:`ADMIN`,submit:w(`members.invite`),action:d,onSubmit:()=>d.run({input:{email:i,role:c}}),children:(0,K.jsxs)(`div`,{className:`filters`,children:[(0,K.jsx)(b,{label:w(`members.eMailAddressOfThe`),at:`email`,type:`email`,autoComplete:`off`,value:i,onChange:a,required:!0}),(0,K.jsx)(S,{label:w(`members.role`),at:`role`,value:c,onChange:e=>l(e),options:g(e.role)})]})})]})}function je(){let e=s(he,{}),t=u(ge,e.reload);return(0,K.jsxs)(j,{title:w(`organization.organization`),children:[(0,K.jsx)(T,{error:t.error}),(0,K.jsx)(E,{of:e,children:({currentOrganization:e})=>(0,K.jsxs)(`div`,{className:`row`,children:[(0,K.jsx)(v,{needs:`OWNER`,label:w(`organization.membersNeedASecondFactor`),on:e.requireSecondFactor,shown:e.requireSecondFactor?w(`organization.required`):w(`organization.optional`),busy:t.busy,onChange:n=>t.run({input:{id:e.id,requireSecondFactor:n}})}),(0,K.jsx)(`span`,{children:w(`organization.secondFactorOfMembersWhere`)})]})})]})}var Me=[`ENVIRONMENTS`,`MEMBERS`,`KEYS`,`SETTINGS`],Ne=[{value:`30`,label:`30 days`},{value:`90`,label:`90 days`},{value:`365`,label:`1 year`}];function Pe(){let e=o(`organization-keys-`),t=s(_e,e.variables),[n,r]=(0,H.useState)(``),[i,a]=(0,H.useState)(`90`),[l,f]=(0,H.useState)([]),[p,h]=(0,H.useState)(`P1D`),[g,_]=(0,H.useState)(``),v=u(ve,e=>{_(e.createOrganizationKey.key),r(``),t.reload()},c),x=u(ye,e=>{_(e.rotateOrganizationKey.key),t.reload()},c),C=u(be,t.reload);return(0,K.jsxs)(j,{title:w(`organization.organizationKeys`),children:[(0,K.jsx)(`p`,{className:`soft`,children:w(`organization.programsUseThemForEnvironments`)}),(0,K.jsx)(T,{error:C.error??x.error}),(0,K.jsx)(M,{what:w(`organization.theNewOrganizationKey`),secret:g},g),(0,K.jsx)(E,{of:t,children:({organizationKeys:t})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(A,{label:w(`organization.organizationKeys`),rows:t.nodes,id:e=>e.id,columns:[{name:w(`common.name`),cell:e=>e.name},{name:w(`common.endsWith`),cell:e=>(0,K.jsx)(`code`,{children:e.hint})},{name:w(`common.scopes`),cell:e=>e.scopes.map(F).join(`, `)},{name:w(`common.lastUsed`),cell:e=>(0,K.jsx)(O,{at:e.lastUsedAt})},{name:w(`common.state`),cell:e=>(0,K.jsx)(X,{of:e})},{name:``,cell:e=>!q(e)&&(0,K.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,K.jsx)(m,{needs:`OWNER`,label:w(`organization.rotateName`,{name:e.name}),question:w(`organization.makeANewOrganizationKey`,{name:e.name,overlapOf:Y(p)}),busy:x.busy,onConfirm:()=>x.run({id:e.id,overlap:p})}),(0,K.jsx)(m,{needs:`OWNER`,label:w(`organization.revokeName`,{name:e.name}),question:w(`organization.revokeTheOrganizationKeyName`,{name:e.name}),busy:C.busy,onConfirm:()=>C.run({id:e.id})})]})}]}),(0,K.jsx)(D,{label:w(`organization.organizationKeys`),pager:e,info:t.pageInfo})]})}),(0,K.jsx)(d,{needs:`OWNER`,children:(0,K.jsx)(S,{label:w(`organization.aRotatedOrganizationKeyEnds`),value:p,onChange:h,options:J()})}),(0,K.jsxs)(y,{needs:`OWNER`,submit:w(`organization.createOrganizationKey`),action:v,onSubmit:()=>v.run({input:{name:n,scopes:l,expiresAt:G(i,new Date)??``}}),children:[(0,K.jsxs)(`div`,{className:`filters`,children:[(0,K.jsx)(b,{label:w(`organization.organizationKeyName`),at:`name`,value:n,onChange:r,required:!0}),(0,K.jsx)(S,{label:w(`organization.validFor`),at:`expiresAt`,value:i,onChange:a,options:Ne})]}),(0,K.jsx)(Z,{among:Me,chosen:l,onChange:f})]})]})}function Fe(){let[e,t]=(0,H.useState)(``),[n,r]=(0,H.useState)(``),i=u(ne,()=>location.reload());return(0,K.jsx)(j,{title:w(`common.yourPassword`),children:(0,K.jsxs)(y,{needs:`VIEWER`,submit:w(`password.changePassword`),action:i,onSubmit:()=>i.run({input:{currentPassword:e,password:n}}),children:[(0,K.jsxs)(`div`,{className:`filters`,children:[(0,K.jsx)(b,{label:w(`password.currentPassword`),at:`currentPassword`,type:`password`,autoComplete:`current-password`,value:e,onChange:t,required:!0}),(0,K.jsx)(b,{label:w(`common.newPassword`),at:`password`,type:`password`,autoComplete:`new-password`,value:n,onChange:r,required:!0})]}),(0,K.jsx)(`p`,{className:`soft small`,children:w(`password.n10To200CharactersAll`)})]})})}function $({of:e,actions:t,children:n}){let r={environments:w(`environments.environmentsAndKeys`),members:w(`nav.members`)};return(0,K.jsxs)(P,{title:r[e],actions:t,children:[(0,K.jsx)(k,{label:w(`nav.environments`),current:e,tabs:[[`environments`,w(`nav.environments`),`/environments`],[`members`,r.members,C]]}),n]})}function Ie({me:e,onChange:t}){return(0,K.jsxs)($,{of:`members`,children:[(0,K.jsx)(Q,{me:e}),(0,K.jsx)(je,{}),(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsx)(Pe,{})}),(0,K.jsx)(Fe,{}),(0,K.jsx)(re,{me:e,onChange:t})]})}function Le({me:r,onChange:i}){let a=o(),c=s(ie,{...a.variables}),l=()=>{c.reload(),i()},f=u(I,l),[p,m]=(0,H.useState)(),[g,_]=(0,H.useState)(!1),[y,b]=(0,H.useState)();return(0,K.jsxs)($,{of:`environments`,actions:(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsx)(h,{icon:t,look:`primary`,onClick:()=>_(!0),children:w(`environments.newEnvironment`)})}),children:[(0,K.jsxs)(j,{title:w(`word.ENVIRONMENTS`),children:[(0,K.jsx)(T,{error:f.error}),(0,K.jsx)(E,{of:c,children:({environments:t})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(A,{label:w(`word.ENVIRONMENTS`),rows:t.nodes,id:e=>e.id,columns:[{name:w(`common.name`),cell:e=>(0,K.jsxs)(`span`,{children:[e.name,` `,e.id===r.environment.id&&(0,K.jsx)(N,{children:w(`environments.current`)})]})},{name:w(`common.identifier`),cell:e=>(0,K.jsx)(`code`,{children:e.identifier})},{name:w(`environments.type`),cell:e=>F(e.type)},{name:w(`common.locale`),cell:e=>e.defaultLocale},{name:w(`common.status`),cell:e=>e.id===r.environment.id?F(`ACTIVE`):(0,K.jsx)(v,{needs:`ADMIN`,label:w(`environments.nameIsActive`,{name:e.name}),on:!e.suspended,shown:e.suspended?w(`environments.suspended`):w(`word.ACTIVE`),busy:f.busy,onChange:t=>f.run({input:{id:e.id,suspended:!t}})})},{name:``,cell:t=>(0,K.jsxs)(`span`,{className:`row`,children:[(0,K.jsx)(d,{needs:`ADMIN`,children:(0,K.jsx)(h,{icon:e,onClick:()=>b(t),"aria-label":w(`common.changeName`,{name:t.name}),children:w(`common.change`)})}),t.id!==r.environment.id&&(0,K.jsx)(d,{needs:t.type===`PRODUCTION`?`OWNER`:`ADMIN`,children:(0,K.jsx)(h,{icon:n,look:`danger`,onClick:()=>m(t),"aria-label":w(`common.deleteName`,{name:t.name}),children:w(`common.delete`)})})]})}]}),(0,K.jsx)(D,{label:w(`word.ENVIRONMENTS`),pager:a,info:t.pageInfo})]})})]}),(0,K.jsxs)(d,{needs:`ADMIN`,children:[(0,K.jsx)(De,{me:r}),(0,K.jsx)(Oe,{environment:r.environment.name})]}),g&&(0,K.jsx)(Re,{onClose:()=>_(!1),onDone:()=>{_(!1),l()}}),p&&(0,K.jsx)(Be,{of:p,onClose:()=>m(void 0),onDone:()=>{m(void 0),l()}}),y&&(0,K.jsx)(ze,{of:y,onClose:()=>b(void 0),onDone:()=>{b(void 0),l()}})]})}function Re({onClose:e,onDone:t}){let[n,r]=(0,H.useState)(``),[i,a]=(0,H.useState)(``),[o,s]=(0,H.useState)(`DEVELOPMENT`),c=u(ae,t);return(0,K.jsx)(f,{title:w(`environments.newEnvironment`),onClose:e,children:(0,K.jsxs)(y,{needs:`ADMIN`,submit:w(`common.create`),action:c,onSubmit:()=>c.run({input:{identifier:n,name:i||void 0,type:o}}),children:[(0,K.jsx)(b,{label:w(`common.identifier`),at:`identifier`,value:n,onChange:r,required:!0,hint:w(`environments.lowerCaseLettersDigitsAnd`)}),(0,K.jsx)(b,{label:w(`common.name`),at:`name`,value:i,onChange:a}),(0,K.jsx)(S,{label:w(`environments.type`),at:`type`,value:o,onChange:e=>s(e),options:[`DEVELOPMENT`,`PRODUCTION`]})]})})}function ze({of:e,onClose:t,onDone:n}){let[r,i]=(0,H.useState)(e.name),[a,o]=(0,H.useState)(e.defaultLocale),s=u(I,n);return(0,K.jsx)(f,{title:w(`common.changeName`,{name:e.name}),onClose:t,children:(0,K.jsxs)(y,{needs:`ADMIN`,submit:w(`common.save`),action:s,onSubmit:()=>s.run({input:{id:e.id,name:r,defaultLocale:a}}),children:[(0,K.jsx)(b,{label:w(`common.name`),at:`name`,value:r,onChange:i,required:!0}),(0,K.jsx)(b,{label:w(`environments.defaultLocale`),at:`defaultLocale`,value:a,onChange:o,required:!0,hint:w(`environments.usedInTranslationsForSubscribers`)})]})})}function Be({of:e,onClose:t,onDone:n}){let[r,i]=(0,H.useState)(``),a=u(oe,n);return(0,K.jsxs)(f,{title:w(`common.deleteName`,{name:e.name}),onClose:t,children:[(0,K.jsx)(`p`,{children:w(`environments.deletes`,{name:e.name})}),(0,K.jsx)(y,{needs:`ADMIN`,submit:w(`common.delete`),action:a,onSubmit:()=>a.run({id:e.id,name:r}),children:(0,K.jsx)(b,{label:w(`environments.typeNameToConfirm`,{name:e.name}),at:`name`,value:r,onChange:i,required:!0,autoComplete:`off`})})]})}export{Le as Environments,Ie as MembersPage};