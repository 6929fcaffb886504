import{t as e}from"./plus-DMsR_D0x.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{A as i,F as a,_ as o,i as s,t as c}from"./button-DrZok8y8.js";import{r as l}from"./address-AAVe8LmF.js";import{f as u,o as d,t as f,u as p}from"./document-DOpnm8OA.js";import{t as m}from"./json-INN3mvjR.js";import{c as h}from"./text-AeBTDtkA.js";import{a as g,i as _,o as v,r as y,s as b,t as x}from"./builder-C_kRklB-.js";import{n as S}from"./operators-CA3oQIo3.js";import{n as C}from"./fields-DIpwAvW6.js";import{i as w,l as T,o as E}from"./form-LUm_ZQFx.js";import{t as D}from"./identifier-field-CVgPA83g.js";import{t as ee}from"./once-DR1inGFh.js";import{t as te}from"./fields-lfGvzJAc.js";import{t as ne}from"./rich-DD54EQXV.js";import{a as re,c as O,d as ie,g as ae,m as k,n as A,p as j,u as M}from"./ui-Bua6Uujo.js";import{t as oe}from"./broadcasts-DpLghtAz.js";var se=new f(`
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
    `),ce=new f(`
    query Audience($identifier: String!) {
  audienceByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    topicKey
    rule
  }
}
    `),le=new f(`
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
    `),ue=new f(`
    mutation CreateAudience($input: CreateAudienceInput!) {
  createAudience(input: $input) {
    audience {
      id
      identifier
    }
  }
}
    `),de=new f(`
    mutation UpdateAudience($input: UpdateAudienceInput!) {
  updateAudience(input: $input) {
    audience {
      id
    }
  }
}
    `),fe=new f(`
    mutation DeleteAudience($id: ID!) {
  deleteAudience(id: $id) {
    audience {
      id
    }
  }
}
    `),pe=new f(`
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
    `),N=t(n(),1),P=`subscriber.`,me={var:``},F=(e,...t)=>({[e]:t}),I=e=>F(`!`,e),L=(e,t)=>t.length===1?t[0]:{[e===`OR`?`or`:`and`]:t},R={EQUAL:`==`,NOT_EQUAL:`!=`,IDENTICAL:`===`,NOT_IDENTICAL:`!==`,LARGER:`>`,SMALLER:`<`,LARGER_EQUAL:`>=`,SMALLER_EQUAL:`<=`},z=new Map(Object.entries(R).map(([e,t])=>[t,e]));function B({join:e,groups:t}){return t.length===0?null:L(e,t.map(he))}function he({isNegated:e,value:t,children:n}){let r=L(t??`AND`,n.map(ge));return e?I(r):r}function ge({field:e,operator:t,value:n}){let r={var:P+e},i=R[t];if(i)return F(i,r,g(n));switch(t){case`SET`:return F(`!!`,r);case`NOT_SET`:return I(r);case`IN`:return F(`in`,r,_(n));case`NOT_IN`:return I(F(`in`,r,_(n)));case`ANY_IN`:return F(`some`,r,F(`in`,me,_(n)));case`ALL_IN`:return L(`AND`,_(n).map(e=>F(`in`,e,r)));case`LIKE`:return F(`in`,g(n),r);case`NOT_LIKE`:return I(F(`in`,g(n),r));default:{let[e=null,i=null]=_(n),a=F(`<=`,e,r,i);return t===`BETWEEN`?a:I(a)}}}function V(e){if(e==null)return{join:`AND`,groups:[]};let t=H(e),n=ve(t);return n&&_e(H(B(n)),t)?n:void 0}function H(e){let[t,n]=U(e);if(t===void 0)return e;if(t===`var`)return n.length===1?{var:n[0]}:e;let r=n.map(H);return(t===`and`||t===`or`)&&r.length===1?r[0]:F(t,...r)}function U(e){if(!C(e))return[void 0,[]];let[t,n]=Object.entries(e);return!t||n?[void 0,[]]:[t[0],Array.isArray(t[1])?t[1]:[t[1]]]}var _e=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function ve(e){let t=W(e);if(t)return{join:`AND`,groups:[t]};let[n,r]=U(e);if(n!==`and`&&n!==`or`)return;let i=Z(r,W);return i&&{join:n===`or`?`OR`:`AND`,groups:i}}function W(e){let t=G(e);if(t)return t;let[n,[r]]=U(e),i=n===`!`?G(r):void 0;return i&&{...i,isNegated:!0}}function G(e){let t=K(e);if(t)return{isNegated:!1,type:`GROUP`,value:`AND`,children:[t]};let[n,r]=U(e);if(n!==`and`&&n!==`or`)return;let i=Z(r,K);return i&&{isNegated:!1,type:`GROUP`,value:n===`or`?`OR`:`AND`,children:i}}function K(e){let[t,n]=U(e);if(t===`!`)return be(n[0]);if(t===`!!`)return q(`SET`,n[0],``);if(t===`in`)return xe(n);if(t===`and`)return Se(n);if(t===`some`){let e=X(U(n[1])[1][1]);return e===void 0?void 0:q(`ANY_IN`,n[0],e)}if(t===`<=`&&n.length===3){let e=X([n[0],n[2]]);return e===void 0?void 0:q(`BETWEEN`,n[1],e)}let r=t===void 0?void 0:z.get(t);return r&&Y(n[1])?q(r,n[0],v(n[1])):void 0}var ye={IN:`NOT_IN`,LIKE:`NOT_LIKE`,BETWEEN:`NOT_BETWEEN`};function be(e){let t=q(`NOT_SET`,e,``);if(t)return t;let n=K(e),r=n&&ye[n.operator];return r&&{...n,operator:r}}function xe([e,t]){let n=X(t);return n===void 0?Y(e)?q(`LIKE`,t,v(e)):void 0:q(`IN`,e,n)}function Se(e){let t=Z(e,e=>{let[t,[n,r]]=U(e);return t===`in`&&Y(n)&&J(r)!==void 0?{value:n,of:r}:void 0});if(t?.[1]&&!t.some(e=>J(e.of)!==J(t[0]?.of)))return q(`ALL_IN`,t[0]?.of,b(t.map(e=>e.value)))}function q(e,t,n){let r=J(t);return r===void 0?void 0:{on:`SUBSCRIBER`,field:r,operator:e,value:n}}function J(e){let[t,[n]]=U(e);return t===`var`&&typeof n==`string`&&n.startsWith(P)?n.slice(11):void 0}var Y=e=>e===null||[`string`,`number`,`boolean`].includes(typeof e),X=e=>Array.isArray(e)&&e.every(Y)?b(e):void 0;function Z(e,t){let n=e.map(t);return n.length>0&&n.every(e=>e!==void 0)?n:void 0}var Q=r(),Ce={join:`AND`,groups:[]};function we({label:e,at:t,none:n,rule:r,onChange:i}){let[a,o]=(0,N.useState)(()=>V(r)),s=y(),l=V(r),u=e=>{o(e),i(B(e))};return(0,Q.jsxs)(Q.Fragment,{children:[a?(0,Q.jsx)(x,{label:e,at:t,none:n,...a,onChange:e=>u({...a,groups:e}),onJoin:e=>u({...a,join:e}),places:[`SUBSCRIBER`],operators:S,fields:{SUBSCRIBER:s},required:!0}):(0,Q.jsx)(m,{label:e,at:t,hint:h(`rule.hint`),value:r,onChange:e=>i(e??null),lines:8,schema:`rule`}),a?(0,Q.jsx)(`p`,{className:`soft small`,children:h(`rule.values`)}):!l&&(0,Q.jsx)(`p`,{className:`soft small`,children:h(`rule.onlyJSON`)}),(0,Q.jsx)(`div`,{className:`row`,children:(0,Q.jsx)(c,{disabled:!a&&!l,onClick:()=>o(a?void 0:l??Ce),children:h(a?`rule.asJSON`:`rule.asConditions`)})})]})}function Te(){let t=l(),n=u(se,t.variables);return(0,Q.jsx)(M,{title:h(`nav.audiences`),actions:(0,Q.jsx)(o,{children:(0,Q.jsxs)(i,{href:`/audiences/new`,className:`button primary`,children:[(0,Q.jsx)(e,{"aria-hidden":!0,className:`icon`}),h(`audience.new`)]})}),children:(0,Q.jsx)(A,{children:(0,Q.jsx)(O,{of:n,children:({audiences:e})=>(0,Q.jsxs)(Q.Fragment,{children:[(0,Q.jsx)(k,{label:h(`nav.audiences`),rows:e.nodes,id:e=>e.id,empty:h(`audience.none`),columns:[{name:h(`audience.identifier`),cell:e=>(0,Q.jsx)(i,{href:`/audiences/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:h(`common.name`),cell:e=>e.name??`–`},{name:h(`common.topic`),cell:e=>e.topicKey??`–`},{name:h(`common.created`),cell:e=>(0,Q.jsx)(ae,{at:e.createdAt})}]}),(0,Q.jsx)(ie,{label:h(`nav.audiences`),pager:t,info:e.pageInfo})]})})})})}function Ee(){return(0,Q.jsx)($,{})}function De({identifier:e}){let t=u(ce,{identifier:e});return(0,Q.jsx)(O,{of:t,title:e,children:({audienceByIdentifier:e})=>(0,Q.jsx)($,{of:e})})}function $({of:e}){let[,t]=a(),[n,r]=(0,N.useState)(e?.identifier??``),[i,o]=(0,N.useState)(e?.name??``),[l,u]=(0,N.useState)(e?.topicKey??``),[d,f]=(0,N.useState)(e?.rule??null),[m,g]=(0,N.useState)(!1),[_,v]=(0,N.useState)(),[y,b]=(0,N.useState)(),x=p(ue,e=>t(`/audiences/${encodeURIComponent(e.createAudience.audience.identifier)}`)),S=p(de,()=>g(!0)),C=p(fe,()=>t(`/audiences`)),E=e?S:x,D={topicKey:l||null,rule:d};return(0,Q.jsxs)(M,{title:e?e.name||e.identifier:h(`audience.new`),actions:e&&(0,Q.jsx)(s,{label:h(`common.delete`),question:h(`audience.deleteQuestion`),busy:C.busy,onConfirm:()=>C.run({id:e.id})}),children:[(0,Q.jsx)(re,{error:C.error}),(0,Q.jsxs)(`div`,{className:`cols`,children:[(0,Q.jsxs)(A,{title:h(`audience.filter`),children:[(0,Q.jsxs)(w,{submit:h(`common.save`),action:E,onSubmit:()=>{g(!1),e?S.run({input:{id:e.id,name:i||null,...D}}):x.run({input:{identifier:n,name:i||void 0,...D}})},children:[(0,Q.jsx)(T,{label:h(`audience.identifier`),at:`identifier`,value:n,onChange:r,readOnly:!!e,required:!0}),(0,Q.jsx)(T,{label:h(`common.name`),at:`name`,value:i,onChange:o}),(0,Q.jsx)(T,{label:h(`common.topic`),hint:h(`audience.topicHint`),at:`topicKey`,value:l,onChange:u}),(0,Q.jsx)(we,{label:h(`audience.rule`),at:`rule`,none:h(`audience.noRule`),rule:d,onChange:f}),(0,Q.jsx)(j,{children:m&&h(`common.saved`)})]}),(0,Q.jsx)(`div`,{className:`row end`,children:(0,Q.jsx)(c,{onClick:()=>b(D),children:h(`audience.preview`)})})]}),y&&(0,Q.jsx)(Oe,{of:y}),e&&(0,Q.jsx)(ke,{to:e.identifier,onSent:v})]}),_&&(0,Q.jsx)(A,{title:h(`broadcast.progress`),children:(0,Q.jsx)(oe,{id:_},_)})]})}function Oe({of:e}){let t=u(le,{input:e});return(0,Q.jsx)(A,{title:h(`audience.preview`),children:(0,Q.jsx)(O,{of:t,children:({audiencePreview:e})=>(0,Q.jsxs)(Q.Fragment,{children:[(0,Q.jsx)(`p`,{children:e.exact?h(`audience.chooses`,{n:e.count}):h(`audience.choosesMore`,{n:e.count,examined:e.examined})}),(0,Q.jsx)(k,{label:h(`audience.samples`),rows:e.samples,id:e=>e.id,empty:h(`audience.unmatched`),columns:[{name:h(`common.subscriber`),cell:e=>(0,Q.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriberId)}`,children:e.subscriberId})},{name:h(`common.name`),cell:e=>[e.firstName,e.lastName].filter(Boolean).join(` `)||`–`},{name:h(`word.EMAIL`),cell:e=>e.email??`–`}]})]})})})}function ke({to:e,onSent:t}){let[n,r]=(0,N.useState)(``),[a,s]=(0,N.useState)({}),[c,l]=(0,N.useState)(),[u,f]=(0,N.useState)(),[m,g]=(0,N.useState)(``),[_]=(0,N.useState)(()=>new ee),v=p(pe,({triggerEvent:{result:e}})=>{t(e.event?.internalId),g(e.status===`PROCESSED`&&!e.event?e.transactionId??``:``),f(e.status===`PROCESSED`?void 0:Error([e.status,...e.error??[]].join(`: `)))},(e,{input:t})=>_.send(t,n=>d(e,{input:{...t,transactionId:n}}))),y=()=>{t(void 0),f(void 0),g(``),v.run({input:{name:n,to:[{audience:e}],payload:a,perSecond:c}})};return(0,Q.jsx)(o,{children:(0,Q.jsxs)(A,{title:h(`audience.send`),children:[(0,Q.jsxs)(w,{submit:h(`audience.send`),action:{...v,error:u??v.error},onSubmit:y,children:[(0,Q.jsx)(D,{of:`workflow`,label:h(`common.workflow`),at:`name`,value:n,onChange:r,required:!0}),(0,Q.jsx)(te,{workflow:n,payload:a,onChange:s}),(0,Q.jsx)(E,{label:h(`repair.perSecond`),hint:h(`broadcast.paceHint`),at:`perSecond`,value:c,onChange:l})]}),(0,Q.jsx)(j,{children:m&&(0,Q.jsxs)(Q.Fragment,{children:[ne(`workflowtest.accepted`,{transaction:(0,Q.jsx)(`code`,{children:m})}),` `,(0,Q.jsx)(i,{href:`/activity?transaction=${encodeURIComponent(m)}`,children:h(`workflowtest.viewInActivity`)})]})})]})})}export{De as AudiencePage,Te as Audiences,Ee as NewAudience};