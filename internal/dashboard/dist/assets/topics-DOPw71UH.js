import{t as e}from"./plus-TwwWyVs2.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{N as i,R as a,a as o,i as s,t as c,v as l}from"./button-Dgb5THJ5.js";import{r as u,t as d}from"./address-NG03ewlH.js";import{d as f,m as p,s as m,t as h}from"./document-dlEMawag.js";import{a as g,i as _}from"./edited-D4mEspNB.js";import{i as v,l as y}from"./form-DrW5btIS.js";import{c as b}from"./text-Dt6ehE6o.js";import{a as x,c as S,d as C,g as w,m as T,n as E,p as D,u as O}from"./ui-CoQ-QTUx.js";var k=new h(`
    query Topics($first: Int, $after: String, $last: Int, $before: String, $filter: TopicFilter) {
  topics(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      key
      name
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
    `),A=new h(`
    query Topic($key: String!) {
  topicByKey(key: $key) {
    id
    internalId
    key
    name
    createdAt
    updatedAt
  }
}
    `),j=new h(`
    query TopicSubscriptions($key: String!, $first: Int, $after: String, $last: Int, $before: String) {
  subscriptions(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {topicKey: $key}
  ) {
    nodes {
      id
      identifier
      name
      contextKeys
      createdAt
      subscriber {
        subscriberId
        firstName
        lastName
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
    `),M=new h(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),N=new h(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),P=new h(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),F=new h(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),I=new h(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),L=t(n(),1),R=r();function z(){let{get:t,set:n}=d(),r=t(`key`),a=u(),o=p(k,{...a.variables,filter:{keyContains:r||void 0}}),[s,f]=(0,L.useState)(!1);return(0,R.jsxs)(O,{title:b(`nav.topics`),actions:(0,R.jsx)(l,{children:(0,R.jsx)(c,{icon:e,look:`primary`,onClick:()=>f(!0),children:b(`topics.newTopic`)})}),children:[(0,R.jsx)(E,{children:(0,R.jsx)(y,{label:b(`topics.keyContains`),value:r,onChange:n(`key`)})}),(0,R.jsx)(E,{children:(0,R.jsx)(S,{of:o,children:({topics:e})=>(0,R.jsxs)(R.Fragment,{children:[(0,R.jsx)(T,{filtered:r!==``,label:b(`nav.topics`),rows:e.nodes,id:e=>e.id,columns:[{name:b(`common.key`),cell:e=>(0,R.jsx)(i,{href:`/topics/${encodeURIComponent(e.key)}`,children:e.key})},{name:b(`common.name`),cell:e=>e.name??`–`},{name:b(`common.created`),cell:e=>(0,R.jsx)(w,{at:e.createdAt})}]}),(0,R.jsx)(C,{label:b(`nav.topics`),pager:a,info:e.pageInfo})]})})}),s&&(0,R.jsx)(B,{onClose:()=>f(!1)})]})}function B({onClose:e}){let[t,n]=(0,L.useState)(``),[r,i]=(0,L.useState)(``),[,s]=a(),c=f(M,e=>s(`/topics/${encodeURIComponent(e.createTopic.topic.key)}`));return(0,R.jsx)(o,{title:b(`topics.newTopic`),onClose:e,children:(0,R.jsxs)(v,{submit:b(`common.create`),action:c,onSubmit:()=>c.run({input:{key:t,name:r||void 0}}),children:[(0,R.jsx)(y,{label:b(`common.key`),at:`key`,value:t,onChange:n,required:!0}),(0,R.jsx)(y,{label:b(`common.name`),at:`name`,value:r,onChange:i})]})})}function V({of:e,reload:t}){let n=g({of:e,valuesOf:({name:e})=>({name:e??``}),read:()=>m(A,{key:e.key}).then(e=>e.topicByKey),send:t=>m(N,{input:{id:e.id,..._(t)}}),onSaved:t});return(0,R.jsxs)(v,{submit:b(`common.save`),action:n,onSubmit:n.save,children:[(0,R.jsx)(y,{label:b(`common.key`),value:e.key,onChange:()=>{},readOnly:!0}),(0,R.jsx)(y,{label:b(`common.name`),at:`name`,value:n.values.name,onChange:e=>n.set({name:e})}),(0,R.jsx)(D,{children:n.saved&&b(`common.saved`)})]})}function H({topicKey:e}){let t=p(A,{key:e}),n=u(),r=p(j,{key:e,...n.variables}),[,o]=a(),d=f(P,()=>o(`/topics`)),[m,h]=(0,L.useState)(),g=f(F,e=>{let[t]=e.createSubscriptions.errors;h(t&&Error(`${t.subscriberId}: ${t.message}`)),t||k(``),r.reload()}),_=f(I,r.reload),[D,k]=(0,L.useState)(``);return(0,R.jsx)(S,{of:t,title:e,children:({topicByKey:e})=>(0,R.jsxs)(O,{title:e.name||e.key,actions:(0,R.jsx)(s,{label:b(`common.delete`),question:b(`topics.deleteTheTopicKeyWith`,{key:e.key}),busy:d.busy,onConfirm:()=>d.run({id:e.id})}),children:[(0,R.jsx)(x,{error:d.error??_.error}),(0,R.jsxs)(`div`,{className:`cols`,children:[(0,R.jsx)(E,{title:b(`common.topic`),children:(0,R.jsx)(V,{of:e,reload:t.reload},e.id)}),(0,R.jsx)(l,{children:(0,R.jsx)(E,{title:b(`topics.addASubscriber`),children:(0,R.jsx)(v,{submit:b(`topics.subscribe`),action:{busy:g.busy,error:g.error??m},onSubmit:()=>g.run({input:{topicKey:e.key,subscriptions:[{subscriberId:D}]}}),children:(0,R.jsx)(y,{label:b(`common.subscriber`),at:`subscriptions`,value:D,onChange:k,required:!0})})})})]}),(0,R.jsx)(E,{title:b(`common.subscriptions`),children:(0,R.jsx)(S,{of:r,children:({subscriptions:t})=>(0,R.jsxs)(R.Fragment,{children:[(0,R.jsx)(T,{label:b(`common.subscriptions`),rows:t.nodes,id:e=>e.id,columns:[{name:b(`common.subscriber`),cell:e=>e.subscriber&&(0,R.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId})},{name:b(`common.subscription`),cell:e=>(0,R.jsx)(`code`,{children:e.identifier})},{name:b(`common.context`),cell:e=>e.contextKeys.join(`, `)||`–`},{name:b(`common.since`),cell:e=>(0,R.jsx)(w,{at:e.createdAt})},{name:``,cell:t=>(0,R.jsx)(l,{children:(0,R.jsx)(c,{disabled:_.busy,onClick:()=>_.run({input:{topicKey:e.key,subscriptions:[{identifier:t.identifier}]}}),children:b(`topics.unsubscribe`)})})}]}),(0,R.jsx)(C,{label:b(`common.subscriptions`),pager:n,info:t.pageInfo})]})})})]})})}export{H as TopicPage,z as Topics};