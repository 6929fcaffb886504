import{t as e}from"./plus-TwwWyVs2.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{N as i,R as a,i as o,t as s,v as c}from"./button-Dgb5THJ5.js";import{r as l}from"./address-NG03ewlH.js";import{d as u,h as d,m as f,s as p,t as m}from"./document-dlEMawag.js";import{t as h}from"./json-CPQvQQWg.js";import{c as g}from"./text-Dt6ehE6o.js";import{a as _,i as v,o as y,r as b,s as x,t as ee}from"./builder-BPArpZXk.js";import{n as te}from"./operators-BH2Q08YA.js";import{n as ne}from"./fields-D0ni0nb_.js";import{a as re,i as ie}from"./edited-D4mEspNB.js";import{i as S,l as C,o as ae}from"./form-DrW5btIS.js";import{t as oe}from"./identifier-field-C1ZnZjLe.js";import{n as w}from"./marks-Bs-tqbgL.js";import{t as se}from"./fields-3qjSPSIa.js";import{t as T}from"./rich-BGhUkuLd.js";import{a as ce,c as E,d as le,g as ue,l as de,m as D,n as O,p as k,u as A}from"./ui-CoQ-QTUx.js";import{t as fe}from"./broadcasts-BE9UkQse.js";var pe=new m(`
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
    `),j=new m(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),me=new m(`
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
    `),he=new m(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),ge=new m(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),_e=new m(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),ve=new m(`
    mutation TriggerAudience($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      transactionId
      event {
        id
        internalId
      }
    }
  }
}
    `),M=t(n(),1),N=`subscriber.`,P={var:``},F=(e,...t)=>({[e]:t}),I=e=>F(`!`,e),L=(e,t)=>t.length===1?t[0]:{[e===`OR`?`or`:`and`]:t},R={EQUAL:`==`,NOT_EQUAL:`!=`,IDENTICAL:`===`,NOT_IDENTICAL:`!==`,LARGER:`>`,SMALLER:`<`,LARGER_EQUAL:`>=`,SMALLER_EQUAL:`<=`},ye=new Map(Object.entries(R).map(([e,t])=>[t,e]));function z({join:e,groups:t}){return t.length===0?null:L(e,t.map(be))}function be({isNegated:e,value:t,children:n}){let r=L(t??`AND`,n.map(xe));return e?I(r):r}function xe({field:e,operator:t,value:n}){let r={var:N+e},i=R[t];if(i)return F(i,r,_(n));switch(t){case`SET`:return F(`!!`,r);case`NOT_SET`:return I(r);case`IN`:return F(`in`,r,v(n));case`NOT_IN`:return I(F(`in`,r,v(n)));case`ANY_IN`:return F(`some`,r,F(`in`,P,v(n)));case`ALL_IN`:return L(`AND`,v(n).map(e=>F(`in`,e,r)));case`LIKE`:return F(`in`,_(n),r);case`NOT_LIKE`:return I(F(`in`,_(n),r));default:{let[e=null,i=null]=v(n),a=F(`<=`,e,r,i);return t===`BETWEEN`?a:I(a)}}}function B(e){if(e==null)return{join:`AND`,groups:[]};let t=V(e),n=Ce(t);return n&&Se(V(z(n)),t)?n:void 0}function V(e){let[t,n]=H(e);if(t===void 0)return e;if(t===`var`)return n.length===1?{var:n[0]}:e;let r=n.map(V);return(t===`and`||t===`or`)&&r.length===1?r[0]:F(t,...r)}function H(e){if(!ne(e))return[void 0,[]];let[t,n]=Object.entries(e);return!t||n?[void 0,[]]:[t[0],Array.isArray(t[1])?t[1]:[t[1]]]}var Se=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function Ce(e){let t=U(e);if(t)return{join:`AND`,groups:[t]};let[n,r]=H(e);if(n!==`and`&&n!==`or`)return;let i=X(r,U);return i&&{join:n===`or`?`OR`:`AND`,groups:i}}function U(e){let t=W(e);if(t)return t;let[n,[r]]=H(e),i=n===`!`?W(r):void 0;return i&&{...i,isNegated:!0}}function W(e){let t=G(e);if(t)return{isNegated:!1,type:`GROUP`,value:`AND`,children:[t]};let[n,r]=H(e);if(n!==`and`&&n!==`or`)return;let i=X(r,G);return i&&{isNegated:!1,type:`GROUP`,value:n===`or`?`OR`:`AND`,children:i}}function G(e){let[t,n]=H(e);if(t===`!`)return Te(n[0]);if(t===`!!`)return K(`SET`,n[0],``);if(t===`in`)return Ee(n);if(t===`and`)return De(n);if(t===`some`){let e=Y(H(n[1])[1][1]);return e===void 0?void 0:K(`ANY_IN`,n[0],e)}if(t===`<=`&&n.length===3){let e=Y([n[0],n[2]]);return e===void 0?void 0:K(`BETWEEN`,n[1],e)}let r=t===void 0?void 0:ye.get(t);return r&&J(n[1])?K(r,n[0],y(n[1])):void 0}var we={IN:`NOT_IN`,LIKE:`NOT_LIKE`,BETWEEN:`NOT_BETWEEN`};function Te(e){let t=K(`NOT_SET`,e,``);if(t)return t;let n=G(e),r=n&&we[n.operator];return r&&{...n,operator:r}}function Ee([e,t]){let n=Y(t);return n===void 0?J(e)?K(`LIKE`,t,y(e)):void 0:K(`IN`,e,n)}function De(e){let t=X(e,e=>{let[t,[n,r]]=H(e);return t===`in`&&J(n)&&q(r)!==void 0?{value:n,of:r}:void 0});if(t?.[1]&&!t.some(e=>q(e.of)!==q(t[0]?.of)))return K(`ALL_IN`,t[0]?.of,x(t.map(e=>e.value)))}function K(e,t,n){let r=q(t);return r===void 0?void 0:{on:`SUBSCRIBER`,field:r,operator:e,value:n}}function q(e){let[t,[n]]=H(e);return t===`var`&&typeof n==`string`&&n.startsWith(N)?n.slice(11):void 0}var J=e=>e===null||[`string`,`number`,`boolean`].includes(typeof e),Y=e=>Array.isArray(e)&&e.every(J)?x(e):void 0;function X(e,t){let n=e.map(t);return n.length>0&&n.every(e=>e!==void 0)?n:void 0}var Z=r(),Oe={join:`AND`,groups:[]};function ke({label:e,at:t,none:n,rule:r,onChange:i}){let[a,o]=(0,M.useState)(()=>B(r)),c=b(),l=B(r),u=e=>{o(e),i(z(e))};return(0,Z.jsxs)(Z.Fragment,{children:[a?(0,Z.jsx)(ee,{label:e,at:t,none:n,...a,onChange:e=>u({...a,groups:e}),onJoin:e=>u({...a,join:e}),places:[`SUBSCRIBER`],operators:te,fields:{SUBSCRIBER:c},required:!0}):(0,Z.jsx)(h,{label:e,at:t,hint:g(`rule.hint`),value:r,onChange:e=>i(e??null),lines:8,schema:`rule`}),a?(0,Z.jsx)(`p`,{className:`soft small`,children:g(`rule.values`)}):!l&&(0,Z.jsx)(`p`,{className:`soft small`,children:g(`rule.onlyJSON`)}),(0,Z.jsx)(`div`,{className:`row`,children:(0,Z.jsx)(s,{disabled:!a&&!l,onClick:()=>o(a?void 0:l??Oe),children:g(a?`rule.asJSON`:`rule.asConditions`)})})]})}function Ae(){let t=l(),n=f(pe,t.variables);return(0,Z.jsx)(A,{title:g(`nav.audiences`),actions:(0,Z.jsx)(c,{children:(0,Z.jsxs)(i,{href:`/audiences/new`,className:`button primary`,children:[(0,Z.jsx)(e,{"aria-hidden":!0,className:`icon`}),g(`audience.new`)]})}),children:(0,Z.jsx)(O,{children:(0,Z.jsx)(E,{of:n,children:({audiences:e})=>(0,Z.jsxs)(Z.Fragment,{children:[(0,Z.jsx)(D,{label:g(`nav.audiences`),rows:e.nodes,id:e=>e.id,empty:g(`audience.none`),columns:[{name:g(`audience.identifier`),cell:e=>(0,Z.jsx)(i,{href:`/audiences/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:g(`common.name`),cell:e=>e.name??`–`},{name:g(`common.topic`),cell:e=>e.topicKey??`–`},{name:g(`common.created`),cell:e=>(0,Z.jsx)(ue,{at:e.createdAt})}]}),(0,Z.jsx)(le,{label:g(`nav.audiences`),pager:t,info:e.pageInfo})]})})})})}function je(){return(0,Z.jsx)($,{})}function Q({identifier:e}){let t=f(j,{identifier:e});return(0,Z.jsx)(E,{of:t,title:e,children:({audienceByIdentifier:e})=>(0,Z.jsx)($,{of:e})})}var Me=e=>({identifier:e?.identifier??``,name:e?.name??``,topicKey:e?.topicKey??``,rule:e?.rule??null});function $({of:e}){let[,t]=a(),[n,r]=(0,M.useState)(),[i,c]=(0,M.useState)(),l=re({of:e,valuesOf:Me,read:async()=>e&&(await p(j,{identifier:e.identifier})).audienceByIdentifier,send:async({rule:t,...n})=>e&&p(ge,{input:{id:e.id,...ie(n),rule:t}}),onSaved:()=>{}}),{identifier:d,name:f,topicKey:m,rule:h}=l.values,_={topicKey:m||null,rule:h},v=u(he,e=>{w(),t(`/audiences/${encodeURIComponent(e.createAudience.audience.identifier)}`)}),y=u(_e,()=>{w(),t(`/audiences`)});return(0,Z.jsxs)(A,{title:e?e.name||e.identifier:g(`audience.new`),actions:e&&(0,Z.jsx)(o,{label:g(`common.delete`),question:g(`audience.deleteQuestion`),busy:y.busy,onConfirm:()=>y.run({id:e.id})}),children:[(0,Z.jsx)(ce,{error:y.error}),(0,Z.jsxs)(`div`,{className:`cols`,children:[(0,Z.jsxs)(O,{title:g(`audience.filter`),children:[(0,Z.jsxs)(S,{submit:g(`common.save`),action:e?l:v,onSubmit:e?l.save:()=>v.run({input:{identifier:d,name:f||void 0,..._}}),children:[(0,Z.jsx)(C,{label:g(`audience.identifier`),at:`identifier`,value:d,onChange:e=>l.set({identifier:e}),readOnly:!!e,required:!0}),(0,Z.jsx)(C,{label:g(`common.name`),at:`name`,value:f,onChange:e=>l.set({name:e})}),(0,Z.jsx)(C,{label:g(`common.topic`),hint:g(`audience.topicHint`),at:`topicKey`,value:m,onChange:e=>l.set({topicKey:e})}),(0,Z.jsx)(ke,{label:g(`audience.rule`),at:`rule`,none:g(`audience.noRule`),rule:h,onChange:e=>l.set({rule:e})}),(0,Z.jsx)(k,{children:l.saved&&g(`common.saved`)})]}),(0,Z.jsx)(`div`,{className:`row end`,children:(0,Z.jsx)(s,{onClick:()=>c(_),children:g(`audience.preview`)})})]}),i&&(0,Z.jsx)(Ne,{of:i}),e&&(0,Z.jsx)(Pe,{to:e.identifier,changed:l.changed,onSent:r})]}),n&&(0,Z.jsx)(O,{title:g(`broadcast.progress`),children:(0,Z.jsx)(fe,{id:n},n)})]})}function Ne({of:e}){let t=f(me,{input:e});return(0,Z.jsx)(O,{title:g(`audience.preview`),children:(0,Z.jsx)(E,{of:t,children:({audiencePreview:e})=>(0,Z.jsxs)(Z.Fragment,{children:[(0,Z.jsx)(`p`,{children:e.exact?g(`audience.chooses`,{n:e.count}):g(`audience.choosesMore`,{n:e.count,examined:e.examined})}),(0,Z.jsx)(D,{label:g(`audience.samples`),rows:e.samples,id:e=>e.id,empty:g(`audience.unmatched`),columns:[{name:g(`common.subscriber`),cell:e=>(0,Z.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriberId)}`,children:e.subscriberId})},{name:g(`common.name`),cell:e=>[e.firstName,e.lastName].filter(Boolean).join(` `)||`–`},{name:g(`word.EMAIL`),cell:e=>e.email??`–`}]})]})})})}function Pe({to:e,changed:t,onSent:n}){let[r,a]=(0,M.useState)(``),[o,s]=(0,M.useState)({}),[l,f]=(0,M.useState)(),[m,h]=(0,M.useState)(),[_,v]=(0,M.useState)(``),[y]=(0,M.useState)(()=>new d),b=u(ve,({triggerEvent:{result:e}})=>{n(e.event?.internalId),v(e.status===`PROCESSED`&&!e.event?e.transactionId??``:``),h(e.status===`PROCESSED`?void 0:Error([e.status,...e.error??[]].join(`: `)))},(e,{input:t})=>y.send(t,n=>p(e,{input:{...t,transactionId:n}})));return(0,Z.jsx)(c,{children:(0,Z.jsxs)(O,{title:g(`audience.send`),children:[(0,Z.jsxs)(S,{submit:g(`audience.send`),action:{busy:b.busy||t,error:m??b.error},onSubmit:()=>{n(void 0),h(void 0),v(``),b.run({input:{name:r,to:[{audience:e}],payload:o,perSecond:l}})},children:[(0,Z.jsx)(oe,{of:`workflow`,label:g(`common.workflow`),at:`name`,value:r,onChange:a,required:!0}),(0,Z.jsx)(se,{workflow:r,payload:o,onChange:s}),(0,Z.jsx)(ae,{label:g(`repair.perSecond`),hint:g(`broadcast.paceHint`),at:`perSecond`,value:l,onChange:f}),t&&(0,Z.jsx)(de,{tone:`wait`,children:g(`audience.saveFirst`)})]}),(0,Z.jsx)(k,{children:_&&(0,Z.jsxs)(Z.Fragment,{children:[T(`workflowtest.accepted`,{transaction:(0,Z.jsx)(`code`,{children:_})}),` `,(0,Z.jsx)(i,{href:`/activity?transaction=${encodeURIComponent(_)}`,children:g(`workflowtest.viewInActivity`)})]})})]})})}export{Q as AudiencePage,Ae as Audiences,je as NewAudience};