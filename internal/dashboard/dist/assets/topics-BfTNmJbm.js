import{t as e}from"./plus-DnFrg5jt.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{N as i,R as a,a as o,i as s,t as c,v as l}from"./button-BN0QXP3S.js";import{r as u,t as d}from"./address-BHq2i49I.js";import{f,m as p,t as m}from"./document-__yBWdMy.js";import{i as h,l as g}from"./form-F0xFNEb5.js";import{c as _}from"./text-DjmMxfOS.js";import{a as v,c as y,d as b,g as x,m as S,n as C,p as w,u as T}from"./ui-D2k4UMZz.js";var E=new m(`
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
    `),D=new m(`
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
    `),O=new m(`
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
    `),k=new m(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),A=new m(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),j=new m(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),M=new m(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),N=new m(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),P=t(n(),1),F=r();function I(){let{get:t,set:n}=d(),r=t(`key`),a=u(),o=p(E,{...a.variables,filter:{keyContains:r||void 0}}),[s,f]=(0,P.useState)(!1);return(0,F.jsxs)(T,{title:_(`nav.topics`),actions:(0,F.jsx)(l,{children:(0,F.jsx)(c,{icon:e,look:`primary`,onClick:()=>f(!0),children:_(`topics.newTopic`)})}),children:[(0,F.jsx)(C,{children:(0,F.jsx)(g,{label:_(`topics.keyContains`),value:r,onChange:n(`key`)})}),(0,F.jsx)(C,{children:(0,F.jsx)(y,{of:o,children:({topics:e})=>(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(S,{filtered:r!==``,label:_(`nav.topics`),rows:e.nodes,id:e=>e.id,columns:[{name:_(`common.key`),cell:e=>(0,F.jsx)(i,{href:`/topics/${encodeURIComponent(e.key)}`,children:e.key})},{name:_(`common.name`),cell:e=>e.name??`–`},{name:_(`common.created`),cell:e=>(0,F.jsx)(x,{at:e.createdAt})}]}),(0,F.jsx)(b,{label:_(`nav.topics`),pager:a,info:e.pageInfo})]})})}),s&&(0,F.jsx)(L,{onClose:()=>f(!1)})]})}function L({onClose:e}){let[t,n]=(0,P.useState)(``),[r,i]=(0,P.useState)(``),[,s]=a(),c=f(k,e=>s(`/topics/${encodeURIComponent(e.createTopic.topic.key)}`));return(0,F.jsx)(o,{title:_(`topics.newTopic`),onClose:e,children:(0,F.jsxs)(h,{submit:_(`common.create`),action:c,onSubmit:()=>c.run({input:{key:t,name:r||void 0}}),children:[(0,F.jsx)(g,{label:_(`common.key`),at:`key`,value:t,onChange:n,required:!0}),(0,F.jsx)(g,{label:_(`common.name`),at:`name`,value:r,onChange:i})]})})}function R({topicKey:e}){let t=p(D,{key:e}),n=u(),r=p(O,{key:e,...n.variables}),[,o]=a(),[d,m]=(0,P.useState)(!1),E=f(A,()=>{m(!0),t.reload()}),k=f(j,()=>o(`/topics`)),[I,L]=(0,P.useState)(),R=f(M,e=>{let[t]=e.createSubscriptions.errors;L(t&&Error(`${t.subscriberId}: ${t.message}`)),t||U(``),r.reload()}),z=f(N,r.reload),[B,V]=(0,P.useState)(),[H,U]=(0,P.useState)(``);return(0,F.jsx)(y,{of:t,title:e,children:({topicByKey:e})=>(0,F.jsxs)(T,{title:e.name||e.key,actions:(0,F.jsx)(s,{label:_(`common.delete`),question:_(`topics.deleteTheTopicKeyWith`,{key:e.key}),busy:k.busy,onConfirm:()=>k.run({id:e.id})}),children:[(0,F.jsx)(v,{error:k.error??z.error}),(0,F.jsxs)(`div`,{className:`cols`,children:[(0,F.jsx)(C,{title:_(`common.topic`),children:(0,F.jsxs)(h,{submit:_(`common.save`),action:E,onSubmit:()=>{m(!1),E.run({input:{id:e.id,name:B??e.name}})},children:[(0,F.jsx)(g,{label:_(`common.key`),value:e.key,onChange:()=>{},readOnly:!0}),(0,F.jsx)(g,{label:_(`common.name`),at:`name`,value:B??e.name??``,onChange:V}),(0,F.jsx)(w,{children:d&&_(`common.saved`)})]})}),(0,F.jsx)(l,{children:(0,F.jsx)(C,{title:_(`topics.addASubscriber`),children:(0,F.jsx)(h,{submit:_(`topics.subscribe`),action:{busy:R.busy,error:R.error??I},onSubmit:()=>R.run({input:{topicKey:e.key,subscriptions:[{subscriberId:H}]}}),children:(0,F.jsx)(g,{label:_(`common.subscriber`),at:`subscriptions`,value:H,onChange:U,required:!0})})})})]}),(0,F.jsx)(C,{title:_(`common.subscriptions`),children:(0,F.jsx)(y,{of:r,children:({subscriptions:t})=>(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(S,{label:_(`common.subscriptions`),rows:t.nodes,id:e=>e.id,columns:[{name:_(`common.subscriber`),cell:e=>e.subscriber&&(0,F.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId})},{name:_(`common.subscription`),cell:e=>(0,F.jsx)(`code`,{children:e.identifier})},{name:_(`common.context`),cell:e=>e.contextKeys.join(`, `)||`–`},{name:_(`common.since`),cell:e=>(0,F.jsx)(x,{at:e.createdAt})},{name:``,cell:t=>(0,F.jsx)(l,{children:(0,F.jsx)(c,{disabled:z.busy,onClick:()=>z.run({input:{topicKey:e.key,subscriptions:[{identifier:t.identifier}]}}),children:_(`topics.unsubscribe`)})})}]}),(0,F.jsx)(b,{label:_(`common.subscriptions`),pager:n,info:t.pageInfo})]})})})]})})}export{R as TopicPage,I as Topics};