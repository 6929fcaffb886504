import{t as e}from"./plus-TwwWyVs2.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{N as i,R as a,a as o,i as s,t as c,v as l,x as u}from"./button-Dgb5THJ5.js";import{r as d,t as f}from"./address-NG03ewlH.js";import{d as p,m,s as h,t as g}from"./document-dlEMawag.js";import{a as _,i as v,n as y,t as b}from"./edited-D4mEspNB.js";import{n as x}from"./json-CPQvQQWg.js";import{c as S,i as C,l as w}from"./form-DrW5btIS.js";import{n as T}from"./marks-Bs-tqbgL.js";import{c as E}from"./text-Dt6ehE6o.js";import{a as D,c as O,d as k,g as A,i as j,m as M,n as N,p as P,u as F}from"./ui-CoQ-QTUx.js";import{t as I}from"./definition-zeV3GoTK.js";var L=new g(`
    query Tenants($first: Int, $after: String, $last: Int, $before: String, $filter: TenantFilter) {
  tenants(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
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
    `),R=new g(`
    query Tenant($identifier: String!) {
  tenantByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    data
    createdAt
    updatedAt
  }
}
    `),z=new g(`
    query TenantWorkflows($tenant: String!, $first: Int, $after: String, $last: Int, $before: String) {
  tenantWorkflows(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {tenantIdentifier: $tenant}
  ) {
    nodes {
      id
      active
      preferences {
        email
        sms
        inApp
        chat
        push
      }
      workflow {
        id
        identifier
        name
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
    `),B=new g(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),V=new g(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),H=new g(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),U=new g(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),W=new g(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),G=t(n(),1),K=r();function q({tenant:e}){let t=d(`workflows-`),n=m(z,{tenant:e,...t.variables}),r=p(U,n.reload),a=p(W,n.reload),o=p(U,()=>{u(``),n.reload()}),[c,u]=(0,G.useState)(``),f=(t,n)=>r.run({input:{tenantIdentifier:e,workflow:t.workflow.id,...n}});return(0,K.jsxs)(N,{title:E(`tenantworkflows.workflowsForThisTenant`),children:[(0,K.jsx)(D,{error:r.error??a.error}),(0,K.jsx)(O,{of:n,children:({tenantWorkflows:e})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(M,{label:E(`tenantworkflows.workflowsForThisTenant`),rows:e.nodes.filter(e=>e.workflow),id:e=>e.id,empty:E(`tenantworkflows.noOverridesAllWorkflowsUse`),columns:[{name:E(`common.workflow`),cell:e=>(0,K.jsx)(i,{href:`/workflows/${encodeURIComponent(e.workflow.identifier)}`,children:e.workflow.name})},{name:E(`common.enabled`),cell:e=>(0,K.jsx)(S,{label:E(`tenantworkflows.nameIsEnabledForThis`,{name:e.workflow.name}),on:e.active,busy:r.busy,onChange:t=>f(e,{active:t})})},...I().map(([e,t])=>({name:t,cell:n=>(0,K.jsx)(J,{label:E(`tenantworkflows.nameForName2`,{name:t,name2:n.workflow.name}),value:n.preferences[e],onChange:t=>f(n,{preferences:{...n.preferences,[e]:t}})})})),{name:``,cell:e=>(0,K.jsx)(s,{label:E(`common.remove`),question:E(`tenantworkflows.removeTheOverridesOfName`,{name:e.workflow.name}),busy:a.busy,onConfirm:()=>a.run({id:e.id})})}]}),(0,K.jsx)(k,{label:E(`tenantworkflows.workflowsForThisTenant`),pager:t,info:e.pageInfo})]})}),(0,K.jsx)(l,{children:(0,K.jsx)(C,{submit:E(`tenantworkflows.add`),action:o,onSubmit:()=>o.run({input:{tenantIdentifier:e,workflow:c}}),children:(0,K.jsx)(w,{label:E(`tenantworkflows.workflowIdentifier`),at:`workflow`,value:c,onChange:u,required:!0})})})]})}function J({label:e,value:t,onChange:n}){let r=u(`EDITOR`);return(0,K.jsxs)(`select`,{"aria-label":e,disabled:!r,value:String(t),onChange:e=>n(e.target.value===`null`?null:e.target.value===`true`),children:[(0,K.jsx)(`option`,{value:`null`,children:E(`common.default`)}),(0,K.jsx)(`option`,{value:`true`,children:E(`common.on`)}),(0,K.jsx)(`option`,{value:`false`,children:E(`common.off2`)})]})}function Y(){let{get:t,set:n}=f(),r=t(`name`),a=d(),o=m(L,{...a.variables,filter:{nameContains:r||void 0}}),[s,u]=(0,G.useState)(!1);return(0,K.jsxs)(F,{title:E(`nav.tenants`),actions:(0,K.jsx)(l,{children:(0,K.jsx)(c,{icon:e,look:`primary`,onClick:()=>u(!0),children:E(`tenants.newTenant`)})}),children:[(0,K.jsx)(N,{children:(0,K.jsx)(w,{label:E(`common.nameContains`),value:r,onChange:n(`name`)})}),(0,K.jsx)(N,{children:(0,K.jsx)(O,{of:o,children:({tenants:e})=>(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(M,{filtered:r!==``,label:E(`nav.tenants`),rows:e.nodes,id:e=>e.id,columns:[{name:E(`common.identifier`),cell:e=>(0,K.jsx)(i,{href:`/tenants/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:E(`common.name`),cell:e=>e.name??`–`},{name:E(`common.created`),cell:e=>(0,K.jsx)(A,{at:e.createdAt})}]}),(0,K.jsx)(k,{label:E(`nav.tenants`),pager:a,info:e.pageInfo})]})})}),s&&(0,K.jsx)(X,{onClose:()=>u(!1)})]})}function X({onClose:e}){let[t,n]=(0,G.useState)(``),[r,i]=(0,G.useState)(``),[,s]=a(),c=p(B,e=>s(`/tenants/${encodeURIComponent(e.createTenant.tenant.identifier)}`));return(0,K.jsx)(o,{title:E(`tenants.newTenant`),onClose:e,children:(0,K.jsxs)(C,{submit:E(`common.create`),action:c,onSubmit:()=>c.run({input:{identifier:t,name:r||void 0}}),children:[(0,K.jsx)(w,{label:E(`common.identifier`),at:`identifier`,value:t,onChange:n,required:!0,hint:E(`tenants.usedByTriggers`)}),(0,K.jsx)(w,{label:E(`common.name`),at:`name`,value:r,onChange:i})]})})}function Z({identifier:e}){let t=m(R,{identifier:e});return(0,K.jsx)(O,{of:t,title:e,children:({tenantByIdentifier:e})=>(0,K.jsx)(Q,{of:e,reload:t.reload},e.id)})}function Q({of:e,reload:t}){let[,n]=a(),r=_({of:e,valuesOf:({name:e,data:t})=>({name:e??``,data:y(t)}),read:()=>h(R,{identifier:e.identifier}).then(e=>e.tenantByIdentifier),send:({data:t,...n})=>h(V,{input:{id:e.id,...v(n),...b({data:t},E(`common.data`))}}),onSaved:t}),{name:i,data:o}=r.values,c=p(H,()=>{T(),n(`/tenants`)});return(0,K.jsxs)(F,{title:e.name||e.identifier,actions:(0,K.jsx)(s,{label:E(`common.delete`),question:E(`tenants.deleteTheTenantIdentifierWith`,{identifier:e.identifier}),busy:c.busy,onConfirm:()=>c.run({id:e.id})}),children:[(0,K.jsx)(D,{error:c.error}),(0,K.jsxs)(`div`,{className:`cols`,children:[(0,K.jsx)(N,{title:E(`word.TENANT`),children:(0,K.jsxs)(C,{submit:E(`common.save`),action:r,onSubmit:r.save,children:[(0,K.jsx)(w,{label:E(`common.name`),at:`name`,value:i,onChange:e=>r.set({name:e})}),(0,K.jsx)(x,{label:E(`common.data`),at:`data`,lines:6,value:o,onChange:e=>r.set({data:e}),hint:E(`tenants.dataHint`,{variable:`{{ tenant.data.<key> }}`})}),(0,K.jsx)(P,{children:r.saved&&E(`common.saved`)})]})}),(0,K.jsx)(N,{title:E(`common.details`),children:(0,K.jsx)(j,{of:{[E(`common.identifier`)]:(0,K.jsx)(`code`,{children:e.identifier}),[E(`subscriber.record`)]:(0,K.jsx)(`code`,{children:e.internalId}),[E(`common.created`)]:(0,K.jsx)(A,{at:e.createdAt}),[E(`common.changed`)]:(0,K.jsx)(A,{at:e.updatedAt})}})})]}),(0,K.jsx)(q,{tenant:e.identifier})]})}export{Z as TenantPage,Y as Tenants};