import{t as e}from"./plus-DnFrg5jt.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{N as i,R as a,i as o,t as s,v as c}from"./button-BN0QXP3S.js";import{r as l}from"./address-BHq2i49I.js";import{f as u,m as d,s as f,t as p}from"./document-__yBWdMy.js";import{t as m}from"./json-DMNmtZaQ.js";import{c as h}from"./text-DjmMxfOS.js";import{a as g,i as _,o as v,r as y,s as b,t as x}from"./builder-DpX6wDeg.js";import{n as S}from"./operators-Ch5QsDid.js";import{n as C}from"./fields-CIJrE9-M.js";import{i as w,l as T,o as E}from"./form-F0xFNEb5.js";import{t as ee}from"./identifier-field-DFvYet_C.js";import{n as D}from"./marks-Bs-tqbgL.js";import{t as te}from"./once-MR6dK01Q.js";import{t as ne}from"./fields-BM-gpFrO.js";import{t as re}from"./saved-BObOAdb6.js";import{t as ie}from"./rich-DxYbNeky.js";import{a as ae,c as O,d as oe,g as se,l as ce,m as k,n as A,p as j,u as M}from"./ui-D2k4UMZz.js";import{t as le}from"./broadcasts-FTJpuMZ0.js";var ue=new p(`
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
    `),de=new p(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),fe=new p(`
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
    `),pe=new p(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),me=new p(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),he=new p(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),ge=new p(`
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
    `),N=t(n(),1),P=`subscriber.`,_e={var:``},F=(e,...t)=>({[e]:t}),I=e=>F(`!`,e),L=(e,t)=>t.length===1?t[0]:{[e===`OR`?`or`:`and`]:t},R={EQUAL:`==`,NOT_EQUAL:`!=`,IDENTICAL:`===`,NOT_IDENTICAL:`!==`,LARGER:`>`,SMALLER:`<`,LARGER_EQUAL:`>=`,SMALLER_EQUAL:`<=`},ve=new Map(Object.entries(R).map(([e,t])=>[t,e]));function z({join:e,groups:t}){return t.length===0?null:L(e,t.map(B))}function B({isNegated:e,value:t,children:n}){let r=L(t??`AND`,n.map(ye));return e?I(r):r}function ye({field:e,operator:t,value:n}){let r={var:P+e},i=R[t];if(i)return F(i,r,g(n));switch(t){case`SET`:return F(`!!`,r);case`NOT_SET`:return I(r);case`IN`:return F(`in`,r,_(n));case`NOT_IN`:return I(F(`in`,r,_(n)));case`ANY_IN`:return F(`some`,r,F(`in`,_e,_(n)));case`ALL_IN`:return L(`AND`,_(n).map(e=>F(`in`,e,r)));case`LIKE`:return F(`in`,g(n),r);case`NOT_LIKE`:return I(F(`in`,g(n),r));default:{let[e=null,i=null]=_(n),a=F(`<=`,e,r,i);return t===`BETWEEN`?a:I(a)}}}function V(e){if(e==null)return{join:`AND`,groups:[]};let t=H(e),n=xe(t);return n&&be(H(z(n)),t)?n:void 0}function H(e){let[t,n]=U(e);if(t===void 0)return e;if(t===`var`)return n.length===1?{var:n[0]}:e;let r=n.map(H);return(t===`and`||t===`or`)&&r.length===1?r[0]:F(t,...r)}function U(e){if(!C(e))return[void 0,[]];let[t,n]=Object.entries(e);return!t||n?[void 0,[]]:[t[0],Array.isArray(t[1])?t[1]:[t[1]]]}var be=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function xe(e){let t=W(e);if(t)return{join:`AND`,groups:[t]};let[n,r]=U(e);if(n!==`and`&&n!==`or`)return;let i=Z(r,W);return i&&{join:n===`or`?`OR`:`AND`,groups:i}}function W(e){let t=G(e);if(t)return t;let[n,[r]]=U(e),i=n===`!`?G(r):void 0;return i&&{...i,isNegated:!0}}function G(e){let t=K(e);if(t)return{isNegated:!1,type:`GROUP`,value:`AND`,children:[t]};let[n,r]=U(e);if(n!==`and`&&n!==`or`)return;let i=Z(r,K);return i&&{isNegated:!1,type:`GROUP`,value:n===`or`?`OR`:`AND`,children:i}}function K(e){let[t,n]=U(e);if(t===`!`)return Ce(n[0]);if(t===`!!`)return q(`SET`,n[0],``);if(t===`in`)return we(n);if(t===`and`)return Te(n);if(t===`some`){let e=X(U(n[1])[1][1]);return e===void 0?void 0:q(`ANY_IN`,n[0],e)}if(t===`<=`&&n.length===3){let e=X([n[0],n[2]]);return e===void 0?void 0:q(`BETWEEN`,n[1],e)}let r=t===void 0?void 0:ve.get(t);return r&&Y(n[1])?q(r,n[0],v(n[1])):void 0}var Se={IN:`NOT_IN`,LIKE:`NOT_LIKE`,BETWEEN:`NOT_BETWEEN`};function Ce(e){let t=q(`NOT_SET`,e,``);if(t)return t;let n=K(e),r=n&&Se[n.operator];return r&&{...n,operator:r}}function we([e,t]){let n=X(t);return n===void 0?Y(e)?q(`LIKE`,t,v(e)):void 0:q(`IN`,e,n)}function Te(e){let t=Z(e,e=>{let[t,[n,r]]=U(e);return t===`in`&&Y(n)&&J(r)!==void 0?{value:n,of:r}:void 0});if(t?.[1]&&!t.some(e=>J(e.of)!==J(t[0]?.of)))return q(`ALL_IN`,t[0]?.of,b(t.map(e=>e.value)))}function q(e,t,n){let r=J(t);return r===void 0?void 0:{on:`SUBSCRIBER`,field:r,operator:e,value:n}}function J(e){let[t,[n]]=U(e);return t===`var`&&typeof n==`string`&&n.startsWith(P)?n.slice(11):void 0}var Y=e=>e===null||[`string`,`number`,`boolean`].includes(typeof e),X=e=>Array.isArray(e)&&e.every(Y)?b(e):void 0;function Z(e,t){let n=e.map(t);return n.length>0&&n.every(e=>e!==void 0)?n:void 0}var Q=r(),Ee={join:`AND`,groups:[]};function De({label:e,at:t,none:n,rule:r,onChange:i}){let[a,o]=(0,N.useState)(()=>V(r)),c=y(),l=V(r),u=e=>{o(e),i(z(e))};return(0,Q.jsxs)(Q.Fragment,{children:[a?(0,Q.jsx)(x,{label:e,at:t,none:n,...a,onChange:e=>u({...a,groups:e}),onJoin:e=>u({...a,join:e}),places:[`SUBSCRIBER`],operators:S,fields:{SUBSCRIBER:c},required:!0}):(0,Q.jsx)(m,{label:e,at:t,hint:h(`rule.hint`),value:r,onChange:e=>i(e??null),lines:8,schema:`rule`}),a?(0,Q.jsx)(`p`,{className:`soft small`,children:h(`rule.values`)}):!l&&(0,Q.jsx)(`p`,{className:`soft small`,children:h(`rule.onlyJSON`)}),(0,Q.jsx)(`div`,{className:`row`,children:(0,Q.jsx)(s,{disabled:!a&&!l,onClick:()=>o(a?void 0:l??Ee),children:h(a?`rule.asJSON`:`rule.asConditions`)})})]})}function Oe(){let t=l(),n=d(ue,t.variables);return(0,Q.jsx)(M,{title:h(`nav.audiences`),actions:(0,Q.jsx)(c,{children:(0,Q.jsxs)(i,{href:`/audiences/new`,className:`button primary`,children:[(0,Q.jsx)(e,{"aria-hidden":!0,className:`icon`}),h(`audience.new`)]})}),children:(0,Q.jsx)(A,{children:(0,Q.jsx)(O,{of:n,children:({audiences:e})=>(0,Q.jsxs)(Q.Fragment,{children:[(0,Q.jsx)(k,{label:h(`nav.audiences`),rows:e.nodes,id:e=>e.id,empty:h(`audience.none`),columns:[{name:h(`audience.identifier`),cell:e=>(0,Q.jsx)(i,{href:`/audiences/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:h(`common.name`),cell:e=>e.name??`–`},{name:h(`common.topic`),cell:e=>e.topicKey??`–`},{name:h(`common.created`),cell:e=>(0,Q.jsx)(se,{at:e.createdAt})}]}),(0,Q.jsx)(oe,{label:h(`nav.audiences`),pager:t,info:e.pageInfo})]})})})})}function ke(){return(0,Q.jsx)($,{})}function Ae({identifier:e}){let t=d(de,{identifier:e});return(0,Q.jsx)(O,{of:t,title:e,children:({audienceByIdentifier:e})=>(0,Q.jsx)($,{of:e})})}function $({of:e}){let[,t]=a(),[n,r]=(0,N.useState)(e?.identifier??``),[i,c]=(0,N.useState)(e?.name??``),[l,d]=(0,N.useState)(e?.topicKey??``),[f,p]=(0,N.useState)(e?.rule??null),[m,g]=(0,N.useState)(),[_,v]=(0,N.useState)(),y={topicKey:l||null,rule:f},b=re({identifier:n,name:i,topicKey:l,rule:f}),x=u(pe,e=>{D(),t(`/audiences/${encodeURIComponent(e.createAudience.audience.identifier)}`)}),S=u(me,()=>{b.keep()}),C=u(he,()=>{D(),t(`/audiences`)}),E=e?S:x;return(0,Q.jsxs)(M,{title:e?e.name||e.identifier:h(`audience.new`),actions:e&&(0,Q.jsx)(o,{label:h(`common.delete`),question:h(`audience.deleteQuestion`),busy:C.busy,onConfirm:()=>C.run({id:e.id})}),children:[(0,Q.jsx)(ae,{error:C.error}),(0,Q.jsxs)(`div`,{className:`cols`,children:[(0,Q.jsxs)(A,{title:h(`audience.filter`),children:[(0,Q.jsxs)(w,{submit:h(`common.save`),action:E,onSubmit:()=>{e?S.run({input:{id:e.id,name:i||null,...y}}):x.run({input:{identifier:n,name:i||void 0,...y}})},children:[(0,Q.jsx)(T,{label:h(`audience.identifier`),at:`identifier`,value:n,onChange:r,readOnly:!!e,required:!0}),(0,Q.jsx)(T,{label:h(`common.name`),at:`name`,value:i,onChange:c}),(0,Q.jsx)(T,{label:h(`common.topic`),hint:h(`audience.topicHint`),at:`topicKey`,value:l,onChange:d}),(0,Q.jsx)(De,{label:h(`audience.rule`),at:`rule`,none:h(`audience.noRule`),rule:f,onChange:p}),(0,Q.jsx)(j,{children:b.saved&&h(`common.saved`)})]}),(0,Q.jsx)(`div`,{className:`row end`,children:(0,Q.jsx)(s,{onClick:()=>v(y),children:h(`audience.preview`)})})]}),_&&(0,Q.jsx)(je,{of:_}),e&&(0,Q.jsx)(Me,{to:e.identifier,changed:b.changed,onSent:g})]}),m&&(0,Q.jsx)(A,{title:h(`broadcast.progress`),children:(0,Q.jsx)(le,{id:m},m)})]})}function je({of:e}){let t=d(fe,{input:e});return(0,Q.jsx)(A,{title:h(`audience.preview`),children:(0,Q.jsx)(O,{of:t,children:({audiencePreview:e})=>(0,Q.jsxs)(Q.Fragment,{children:[(0,Q.jsx)(`p`,{children:e.exact?h(`audience.chooses`,{n:e.count}):h(`audience.choosesMore`,{n:e.count,examined:e.examined})}),(0,Q.jsx)(k,{label:h(`audience.samples`),rows:e.samples,id:e=>e.id,empty:h(`audience.unmatched`),columns:[{name:h(`common.subscriber`),cell:e=>(0,Q.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriberId)}`,children:e.subscriberId})},{name:h(`common.name`),cell:e=>[e.firstName,e.lastName].filter(Boolean).join(` `)||`–`},{name:h(`word.EMAIL`),cell:e=>e.email??`–`}]})]})})})}function Me({to:e,changed:t,onSent:n}){let[r,a]=(0,N.useState)(``),[o,s]=(0,N.useState)({}),[l,d]=(0,N.useState)(),[p,m]=(0,N.useState)(),[g,_]=(0,N.useState)(``),[v]=(0,N.useState)(()=>new te),y=u(ge,({triggerEvent:{result:e}})=>{n(e.event?.internalId),_(e.status===`PROCESSED`&&!e.event?e.transactionId??``:``),m(e.status===`PROCESSED`?void 0:Error([e.status,...e.error??[]].join(`: `)))},(e,{input:t})=>v.send(t,n=>f(e,{input:{...t,transactionId:n}})));return(0,Q.jsx)(c,{children:(0,Q.jsxs)(A,{title:h(`audience.send`),children:[(0,Q.jsxs)(w,{submit:h(`audience.send`),action:{busy:y.busy||t,error:p??y.error},onSubmit:()=>{n(void 0),m(void 0),_(``),y.run({input:{name:r,to:[{audience:e}],payload:o,perSecond:l}})},children:[(0,Q.jsx)(ee,{of:`workflow`,label:h(`common.workflow`),at:`name`,value:r,onChange:a,required:!0}),(0,Q.jsx)(ne,{workflow:r,payload:o,onChange:s}),(0,Q.jsx)(E,{label:h(`repair.perSecond`),hint:h(`broadcast.paceHint`),at:`perSecond`,value:l,onChange:d}),t&&(0,Q.jsx)(ce,{tone:`wait`,children:h(`audience.saveFirst`)})]}),(0,Q.jsx)(j,{children:g&&(0,Q.jsxs)(Q.Fragment,{children:[ie(`workflowtest.accepted`,{transaction:(0,Q.jsx)(`code`,{children:g})}),` `,(0,Q.jsx)(i,{href:`/activity?transaction=${encodeURIComponent(g)}`,children:h(`workflowtest.viewInActivity`)})]})})]})})}export{Ae as AudiencePage,Oe as Audiences,ke as NewAudience};