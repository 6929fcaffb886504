import{t as e}from"./plus-DMsR_D0x.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{A as i,F as a,_ as o,a as s,i as c,t as l}from"./button-DrZok8y8.js";import{r as u,t as d}from"./address-AAVe8LmF.js";import{f,t as p,u as m}from"./document-DOpnm8OA.js";import{i as h,l as g}from"./form-LUm_ZQFx.js";import{c as _}from"./text-AeBTDtkA.js";import{a as v,c as y,d as b,g as x,m as S,n as C,p as w,u as T}from"./ui-Bua6Uujo.js";var E=new p(`
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
    `),D=new p(`
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
    `),O=new p(`
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
    `),k=new p(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic {
      key
    }
  }
}
    `),A=new p(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    topic {
      id
    }
  }
}
    `),j=new p(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    deletedId
  }
}
    `),M=new p(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),N=new p(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),P=t(n(),1),F=r();function I(){let{get:t,set:n}=d(),r=t(`key`),a=u(),s=f(E,{...a.variables,filter:{keyContains:r||void 0}}),[c,p]=(0,P.useState)(!1);return(0,F.jsxs)(T,{title:_(`nav.topics`),actions:(0,F.jsx)(o,{children:(0,F.jsx)(l,{icon:e,look:`primary`,onClick:()=>p(!0),children:_(`topics.newTopic`)})}),children:[(0,F.jsx)(C,{children:(0,F.jsx)(g,{label:_(`topics.keyContains`),value:r,onChange:n(`key`)})}),(0,F.jsx)(C,{children:(0,F.jsx)(y,{of:s,children:({topics:e})=>(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(S,{filtered:r!==``,label:_(`nav.topics`),rows:e.nodes,id:e=>e.id,columns:[{name:_(`common.key`),cell:e=>(0,F.jsx)(i,{href:`/topics/${encodeURIComponent(e.key)}`,children:e.key})},{name:_(`common.name`),cell:e=>e.name??`–`},{name:_(`common.created`),cell:e=>(0,F.jsx)(x,{at:e.createdAt})}]}),(0,F.jsx)(b,{label:_(`nav.topics`),pager:a,info:e.pageInfo})]})})}),c&&(0,F.jsx)(L,{onClose:()=>p(!1)})]})}function L({onClose:e}){let[t,n]=(0,P.useState)(``),[r,i]=(0,P.useState)(``),[,o]=a(),c=m(k,e=>o(`/topics/${encodeURIComponent(e.createTopic.topic.key)}`));return(0,F.jsx)(s,{title:_(`topics.newTopic`),onClose:e,children:(0,F.jsxs)(h,{submit:_(`common.create`),action:c,onSubmit:()=>c.run({input:{key:t,name:r||void 0}}),children:[(0,F.jsx)(g,{label:_(`common.key`),at:`key`,value:t,onChange:n,required:!0}),(0,F.jsx)(g,{label:_(`common.name`),at:`name`,value:r,onChange:i})]})})}function R({topicKey:e}){let t=f(D,{key:e}),n=u(),r=f(O,{key:e,...n.variables}),[,s]=a(),[d,p]=(0,P.useState)(!1),E=m(A,()=>{p(!0),t.reload()}),k=m(j,()=>s(`/topics`)),[I,L]=(0,P.useState)(),R=m(M,e=>{let[t]=e.createSubscriptions.errors;L(t&&Error(`${t.subscriberId}: ${t.message}`)),t||U(``),r.reload()}),z=m(N,r.reload),[B,V]=(0,P.useState)(),[H,U]=(0,P.useState)(``);return(0,F.jsx)(y,{of:t,title:e,children:({topicByKey:e})=>(0,F.jsxs)(T,{title:e.name||e.key,actions:(0,F.jsx)(c,{label:_(`common.delete`),question:_(`topics.deleteTheTopicKeyWith`,{key:e.key}),busy:k.busy,onConfirm:()=>k.run({id:e.id})}),children:[(0,F.jsx)(v,{error:k.error??z.error}),(0,F.jsxs)(`div`,{className:`cols`,children:[(0,F.jsx)(C,{title:_(`common.topic`),children:(0,F.jsxs)(h,{submit:_(`common.save`),action:E,onSubmit:()=>{p(!1),E.run({input:{id:e.id,name:B??e.name}})},children:[(0,F.jsx)(g,{label:_(`common.key`),value:e.key,onChange:()=>{},readOnly:!0}),(0,F.jsx)(g,{label:_(`common.name`),at:`name`,value:B??e.name??``,onChange:V}),(0,F.jsx)(w,{children:d&&_(`common.saved`)})]})}),(0,F.jsx)(o,{children:(0,F.jsx)(C,{title:_(`topics.addASubscriber`),children:(0,F.jsx)(h,{submit:_(`topics.subscribe`),action:{busy:R.busy,error:R.error??I},onSubmit:()=>R.run({input:{topicKey:e.key,subscriptions:[{subscriberId:H}]}}),children:(0,F.jsx)(g,{label:_(`common.subscriber`),at:`subscriptions`,value:H,onChange:U,required:!0})})})})]}),(0,F.jsx)(C,{title:_(`common.subscriptions`),children:(0,F.jsx)(y,{of:r,children:({subscriptions:t})=>(0,F.jsxs)(F.Fragment,{children:[(0,F.jsx)(S,{label:_(`common.subscriptions`),rows:t.nodes,id:e=>e.id,columns:[{name:_(`common.subscriber`),cell:e=>e.subscriber&&(0,F.jsx)(i,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId})},{name:_(`common.subscription`),cell:e=>(0,F.jsx)(`code`,{children:e.identifier})},{name:_(`common.context`),cell:e=>e.contextKeys.join(`, `)||`–`},{name:_(`common.since`),cell:e=>(0,F.jsx)(x,{at:e.createdAt})},{name:``,cell:t=>(0,F.jsx)(o,{children:(0,F.jsx)(l,{disabled:z.busy,onClick:()=>z.run({input:{topicKey:e.key,subscriptions:[{identifier:t.identifier}]}}),children:_(`topics.unsubscribe`)})})}]}),(0,F.jsx)(b,{label:_(`common.subscriptions`),pager:n,info:t.pageInfo})]})})})]})})}export{R as TopicPage,I as Topics};