import{t as e}from"./plus-BWdIi_4J.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{N as i,R as a,i as o,t as s,v as c}from"./button-mtieWiV4.js";import{r as l}from"./address-DxrFKo9f.js";import{f as u,m as d,s as f,t as p}from"./document-G1tJNlO7.js";import{t as m}from"./json-c92Ti14w.js";import{c as h}from"./text-uvC5nAga.js";import{a as g,i as _,o as v,r as y,s as b,t as ee}from"./builder-BJlhvJjh.js";import{n as te}from"./operators-DGSFjsno.js";import{n as ne}from"./fields-CzXbcbBT.js";import{a as re,i as ie}from"./edited-C5NcLlEU.js";import{i as x,l as S,o as ae}from"./form-3bj1MtCR.js";import{t as oe}from"./identifier-field-57tElh2A.js";import{n as C}from"./marks-Bs-tqbgL.js";import{t as w}from"./once-jC1uSrr_.js";import{t as T}from"./fields-Bqy3UgMK.js";import{t as se}from"./rich-BQa5kECf.js";import{a as ce,c as E,d as le,g as ue,l as de,m as D,n as O,p as k,u as A}from"./ui-mwJxSQvN.js";import{t as fe}from"./broadcasts-4WZ0WuIW.js";var pe=new p(`
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
    `),j=new p(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),me=new p(`
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
    `),he=new p(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),ge=new p(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),_e=new p(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),ve=new p(`
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
    `),M=t(n(),1),N=`subscriber.`,P={var:``},F=(e,...t)=>({[e]:t}),I=e=>F(`!`,e),L=(e,t)=>t.length===1?t[0]:{[e===`OR`?`or`:`and`]:t},R={EQUAL:`==`,NOT_EQUAL:`!=`,IDENTICAL:`===`,NOT_IDENTICAL:`!==`,LARGER:`>`,SMALLER:`<`,LARGER_EQUAL:`>=`,SMALLER_EQUAL:`<=`},ye=new Map(Object.entries(R).map(([e,t])=>[t,e]));function z({join:e,groups:t}){return t.length===0?null:L(e,t.map(be))}function be({isNegated:e,value:t,children:n}){let r=L(t??`AND`,n.map(xe));return e?I(r):r}function xe({field:e,operator:t,value:n}){let r={var:N+e},i=R[t];if(i)return F(i,r,g(n));switch(t){case`SET`:return F(`!!`,r);case`NOT_SET`:return I(r);case`IN`:return F(`in`,r,_(n));case`NOT_IN`:return I(F(`in`,r,_(n)));case`ANY_IN`:return F(`some`,r,F(`in`,P,_(n)));case`ALL_IN`:return L(`AND`,_(n).map(e=>F(`in`,e,r)));case`LIKE`:return F(`in`,g(n),r);case`NOT_LIKE`:return I(F(`in`,g(n),r));default:{let[e=null,i=null]=_(n),a=F(`<=`,e,r,i);return t===`BETWEEN`?a:I(a)}}}function B(e){if(e==null)return{join:`AND`,groups:[]};let t=V(e),n=Ce(t);return n&&Se(V(z(n)),t)?n:void 0}function V(e){let[t,n]=H(e);if(t===void 0)return e;if(t===`var`)return n.length===1?{var:n[0]}:e;let r=n.map(V);return(t===`and`||t===`or`)&&r.length===1?r[0]:F(t,...r)}function H(e){if(!ne(e))return[void 0,[]];let[t,n]=Object.entries(e);return!t||n?[void 0,[]]:[t[0],Array.isArray(t[1])?t[1]:[t[1]]]}var Se=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function Ce(e){let t=U(e);if(t)return{join:`AND`,groups:[t]};let[n,r]=H(e);if(n!==`and`&&n!==`or`)return;let i=X(r,U);return i&&{join:n===`or`?`OR`:`AND`,groups:i}}function U(e){let t=W(e);if(t)return t;let[n,[r]]=H(e),i=n===`!`?W(r):void 0;return i&&{...i,isNegated:!0}}function W(e){let t=G(e);if(t)return{isNegated:!1,type:`GROUP`,value:`AND`,children:[t]};let[n,r]=H(e);if(n!==`and`&&n!==`or`)return;let i=X(r,G);return i&&{isNegated:!1,type:`GROUP`,value:n===`or`?`OR`:`AND`,children:i}}function G(e){let[t,n]=H(e);if(t===`!`)return Te(n[0]);if(t===`!!`)return K(`SET`,n[0],``);if(t===`in`)return Ee(n);if(t===`and`)return De(n);if(t===`some`){let e=Y(H(n[1])[1][1]);return e===void 0?void 0:K(`ANY_IN`,n[0],e)}if(t===`<=`&&n.length===3){let e=Y([n[0],n[2]]);return e===void 0?void 0:K(`BETWEEN`,n[1],e)}let r=t===void 0?void 0:ye.get(t);return r&&J(n[1])?K(r,n[0],v(n[1])):void 0}var we={IN:`NOT_IN`,LIKE:`NOT_LIKE`,BETWEEN:`NOT_BETWEEN`};function Te(e){let t=K(`NOT_SET`,e,``);if(t)return t;let n=G(e),r=n&&we[n.operator];return r&&{...n,operator:r}}function Ee([e,t]){let n=Y(t);return n===void 0?J(e)?K(`LIKE`,t,v(e)):void 0:K(`IN`,e,n)}function De(e){let t=X(e,e=>{let[t,[n,r]]=H(e);return t===`in`&&J(n)&&q(r)!==void 0?{value:n,of:r}:void 0});if(t?.[1]&&!t.some(e=>q(e.of)!==q(t[0]?.of)))return K(`ALL_IN`,t[0]?.of,b(t.map(e=>e.value)))}function K(e,t,n){let r=q(t);return r===void 0?void 0:{on:`SUBSCRIBER`,field:r,operator:e,value:n}}function q(e){let[t,[n]]=H(e);return t===`var`&&typeof n==`string`&&n.startsWith(N)?n.slice(11):void 0}var J=e=>e===null||[`string`,`number`,`boolean`].includes(typeof e),Y=e=>Array.isArray(e)&&e.every(J)?b(e):void 0;function X(e,t){let n=e.map(t);return n.length>0&&n.every(e=>e!==void 0)?n:void 0}var Z=r(),Oe={join:`AND`,groups:[]};function ke({label:e,at:t,none:n,rule:r,onChange:i}){let[a,o]=(0,M.useState)(()=>B(r)),c=y(),l=B(r),u=e=>{o(e),i(z(e))};return(0,Z.jsxs)(Z.Fragment,{children:[a?(0,Z.jsx)(ee,{label:e,at:t,none:n,...a,onChange:e=>u({...a,groups:e}),onJoin:e=>u({...a,join:e}),places:[`SUBSCRIBER`],operators:te,fields:{SUBSCRIBER:c},required:!0}):(0,Z.jsx)(m,{label:e,at:t,hint:h(`rule.hint`),value:r,onChange:e=>i(e??null),lines:8,schema:`rule`}),a?(0,Z.jsx)(`p`,{className:`soft small`,children:h(`rule.values`)}):!l&&(0,Z.jsx)(`p`,{className:`soft small`,children:h(`rule.onlyJSON`)}),(0,Z.jsx)(`div`,{className:`row`,children:(0,Z.jsx)(s,{disabled:!a&&!l,onClick:()=>o(a?void 0:l??Oe),children:h(a?`rule.asJSON`:`rule.asConditions`)})})]})}function Ae(){let t=l(),n=d(pe,t.variables);return(0,Z.jsx)(A,{title:h(`nav.audiences`),actions:(0,Z.jsx)(c,{children:(0,Z.jsxs)(i,{href:`/audiences/new`,className:`button primary`,children:[(0,Z.jsx)(e,{"aria-hidden":!0,className:`icon`}),h(`audience.new`)]})}),children:(0,Z.jsx)(O,{children:(0,Z.jsx)(E,{of:n,children:({audiences:e})=>(0,Z.jsxs)(Z.Fragment,{children:[(0,Z.jsx)(D,{label:h(`nav.audiences`),rows:e.nodes,id:e=>e.id,empty:h(`audience.none`),columns:[{name:h(`audience.identifier`),cell:e=>(0,Z.jsx)(i,{href:`/audiences/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:h(`common.name`),cell:e=>e.name??`–`},{name:h(`common.topic`),cell:e=>e.topicKey??`–`},{name:h(`common.created`),cell:e=>(0,Z.jsx)(ue,{at:e.createdAt})}]}),(0,Z.jsx)(le,{label:h(`nav.audiences`),pager:t,info:e.pageInfo})]})})})})}function je(){return(0,Z.jsx)($,{})}function Q({identifier:e}){let t=d(j,{identifier:e});return(0,Z.jsx)(E,{of:t,title:e,children:({audienceByIdentifier:e})=>(0,Z.jsx)($,{of:e})})}var Me=e=>({identifier:e?.identifier??``,name:e?.name??``,topicKey:e?.topicKey??``,rule:e?.rule??null});function $({of:e}){let[,t]=a(),[n,r]=(0,M.useState)(),[i,c]=(0,M.useState)(),l=re({of:e,valuesOf:Me,read:async()=>e&&(await f(j,{identifier:e.identifier})).audienceByIdentifier,send:async({rule:t,...n})=>e&&f(ge,{input:{id:e.id,...ie(n),rule:t}}),onSaved:()=>{}}),{identifier:d,name:p,topicKey:m,rule:g}=l.values,_={topicKey:m||null,rule:g},v=u(he,e=>{C(),t(`/audiences/${encodeURIComponent(e.createAudience.audience.identifier)}`)}),y=u(_e,()=>{C(),t(`/audiences`)});return(0,Z.jsxs)(A,{title:e?e.name||e.identifier:h(`audience.new`),actions:e&&(0,Z.jsx)(o,{label:h(`common.delete`),question:h(`audience.deleteQuestion`),busy:y.busy,onConfirm:()=>y.run({id:e.id})}),children:[(0,Z.jsx)(ce,{error:y.error}),(0,Z.jsxs)(`div`,{className:`cols`,children:[(0,Z.jsxs)(O,{title:h(`audience.filter`),children:[(0,Z.jsxs)(x,{submit:h(`common.save`),action:e?l:v,onSubmit:e?l.save:()=>v.run({input:{identifier:d,name:p||void 0,..._}}),children:[(0,Z.jsx)(S,{label:h(`audience.identifier`),at:`identifier`,value:d,onChange:e=>l.set({identifier:e}),readOnly:!!e,required:!0}),(0,Z.jsx)(S,{label:h(`common.name`),at:`name`,value:p,onChange:e=>l.set({name:e})}),(0,Z.jsx)(S,{label:h(`common.topic`),hint:h(`audience.topicHint`),at:`topicKey`,value:m,onChange:e=>l.set({topicKey:e})}),(0,Z.jsx)(ke,{label:h(`audience.rule`),at:`rule`,none:h(`audience.noRule`),rule:g,onChange:e=>l.set({rule:e})}),(0,Z.jsx)(k,{children:l.saved&&h(`common.saved`)})]}),(0,Z.jsx)(`div`,{className:`row end`,children:(0,Z.jsx)(s,{onClick:()=>c(_),children:h(`audience.preview`)})})]}),i&&(0,Z.jsx)(Ne,{of:i}),e&&(0,Z.jsx)(Pe,{to:e.identifier,changed:l.changed,onSent:r})]}),n&&(0,Z.jsx)(O,{title:h(`broadcast.progress`),children:(0,Z.jsx)(fe,{id:n},n)})]})}function Ne({of:e}){let t=d(me,{input:e});return(0,Z.jsx)(O,{title:h(`audience.preview`),children:(0,Z.jsx)(E,{of:t,children:({audiencePreview:e})=>(0,Z.jsxs)(Z.Fragment,{children:[(0,Z.jsx)(`p`,{children:e.exact?h(`audience.chooses`,{n:e.count}):h(`audience.choosesMore`,{n:e.count,examined:e.examined})}),(0,Z.jsx)(D,{label:h(`audience.samples`),rows:e.samples,id:e=>e.id,empty:h(`audience.unmatched`),columns:[{name:h(`common.subscriber`),cell:e=>(0,Z.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriberId)}`,children:e.subscriberId})},{name:h(`common.name`),cell:e=>[e.firstName,e.lastName].filter(Boolean).join(` `)||`–`},{name:h(`word.EMAIL`),cell:e=>e.email??`–`}]})]})})})}function Pe({to:e,changed:t,onSent:n}){let[r,a]=(0,M.useState)(``),[o,s]=(0,M.useState)({}),[l,d]=(0,M.useState)(),[p,m]=(0,M.useState)(),[g,_]=(0,M.useState)(``),[v]=(0,M.useState)(()=>new w),y=u(ve,({triggerEvent:{result:e}})=>{n(e.event?.internalId),_(e.status===`PROCESSED`&&!e.event?e.transactionId??``:``),m(e.status===`PROCESSED`?void 0:Error([e.status,...e.error??[]].join(`: `)))},(e,{input:t})=>v.send(t,n=>f(e,{input:{...t,transactionId:n}})));return(0,Z.jsx)(c,{children:(0,Z.jsxs)(O,{title:h(`audience.send`),children:[(0,Z.jsxs)(x,{submit:h(`audience.send`),action:{busy:y.busy||t,error:p??y.error},onSubmit:()=>{n(void 0),m(void 0),_(``),y.run({input:{name:r,to:[{audience:e}],payload:o,perSecond:l}})},children:[(0,Z.jsx)(oe,{of:`workflow`,label:h(`common.workflow`),at:`name`,value:r,onChange:a,required:!0}),(0,Z.jsx)(T,{workflow:r,payload:o,onChange:s}),(0,Z.jsx)(ae,{label:h(`repair.perSecond`),hint:h(`broadcast.paceHint`),at:`perSecond`,value:l,onChange:d}),t&&(0,Z.jsx)(de,{tone:`wait`,children:h(`audience.saveFirst`)})]}),(0,Z.jsx)(k,{children:g&&(0,Z.jsxs)(Z.Fragment,{children:[se(`workflowtest.accepted`,{transaction:(0,Z.jsx)(`code`,{children:g})}),` `,(0,Z.jsx)(i,{href:`/activity?transaction=${encodeURIComponent(g)}`,children:h(`workflowtest.viewInActivity`)})]})})]})})}export{Q as AudiencePage,Ae as Audiences,je as NewAudience};