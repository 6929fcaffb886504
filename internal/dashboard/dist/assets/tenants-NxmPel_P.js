import{t as e}from"./plus-DnFrg5jt.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{J as i,N as a,R as o,a as s,i as c,t as l,v as u,x as d}from"./button-BN0QXP3S.js";import{r as f,t as p}from"./address-BHq2i49I.js";import{f as m,m as h,t as g}from"./document-__yBWdMy.js";import{n as _}from"./json-DMNmtZaQ.js";import{c as v,i as y,l as b}from"./form-F0xFNEb5.js";import{n as x}from"./marks-Bs-tqbgL.js";import{t as S}from"./saved-BObOAdb6.js";import{c as C}from"./text-DjmMxfOS.js";import{a as w,c as T,d as E,g as D,i as O,m as k,n as A,p as j,u as M}from"./ui-D2k4UMZz.js";import{t as N}from"./definition-D6zygz84.js";var P=new g(`
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
    `),F=new g(`
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
    `),I=new g(`
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
    `),L=new g(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),R=new g(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),z=new g(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),B=new g(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),V=new g(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),H=t(n(),1),U=r();function W({tenant:e}){let t=f(`workflows-`),n=h(I,{tenant:e,...t.variables}),r=m(B,n.reload),i=m(V,n.reload),o=m(B,()=>{l(``),n.reload()}),[s,l]=(0,H.useState)(``),d=(t,n)=>r.run({input:{tenantIdentifier:e,workflow:t.workflow.id,...n}});return(0,U.jsxs)(A,{title:C(`tenantworkflows.workflowsForThisTenant`),children:[(0,U.jsx)(w,{error:r.error??i.error}),(0,U.jsx)(T,{of:n,children:({tenantWorkflows:e})=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(k,{label:C(`tenantworkflows.workflowsForThisTenant`),rows:e.nodes.filter(e=>e.workflow),id:e=>e.id,empty:C(`tenantworkflows.noOverridesAllWorkflowsUse`),columns:[{name:C(`common.workflow`),cell:e=>(0,U.jsx)(a,{href:`/workflows/${encodeURIComponent(e.workflow.identifier)}`,children:e.workflow.name})},{name:C(`common.enabled`),cell:e=>(0,U.jsx)(v,{label:C(`tenantworkflows.nameIsEnabledForThis`,{name:e.workflow.name}),on:e.active,busy:r.busy,onChange:t=>d(e,{active:t})})},...N().map(([e,t])=>({name:t,cell:n=>(0,U.jsx)(G,{label:C(`tenantworkflows.nameForName2`,{name:t,name2:n.workflow.name}),value:n.preferences[e],onChange:t=>d(n,{preferences:{...n.preferences,[e]:t}})})})),{name:``,cell:e=>(0,U.jsx)(c,{label:C(`common.remove`),question:C(`tenantworkflows.removeTheOverridesOfName`,{name:e.workflow.name}),busy:i.busy,onConfirm:()=>i.run({id:e.id})})}]}),(0,U.jsx)(E,{label:C(`tenantworkflows.workflowsForThisTenant`),pager:t,info:e.pageInfo})]})}),(0,U.jsx)(u,{children:(0,U.jsx)(y,{submit:C(`tenantworkflows.add`),action:o,onSubmit:()=>o.run({input:{tenantIdentifier:e,workflow:s}}),children:(0,U.jsx)(b,{label:C(`tenantworkflows.workflowIdentifier`),at:`workflow`,value:s,onChange:l,required:!0})})})]})}function G({label:e,value:t,onChange:n}){let r=d(`EDITOR`);return(0,U.jsxs)(`select`,{"aria-label":e,disabled:!r,value:String(t),onChange:e=>n(e.target.value===`null`?null:e.target.value===`true`),children:[(0,U.jsx)(`option`,{value:`null`,children:C(`common.default`)}),(0,U.jsx)(`option`,{value:`true`,children:C(`common.on`)}),(0,U.jsx)(`option`,{value:`false`,children:C(`common.off2`)})]})}function K(){let{get:t,set:n}=p(),r=t(`name`),i=f(),o=h(P,{...i.variables,filter:{nameContains:r||void 0}}),[s,c]=(0,H.useState)(!1);return(0,U.jsxs)(M,{title:C(`nav.tenants`),actions:(0,U.jsx)(u,{children:(0,U.jsx)(l,{icon:e,look:`primary`,onClick:()=>c(!0),children:C(`tenants.newTenant`)})}),children:[(0,U.jsx)(A,{children:(0,U.jsx)(b,{label:C(`common.nameContains`),value:r,onChange:n(`name`)})}),(0,U.jsx)(A,{children:(0,U.jsx)(T,{of:o,children:({tenants:e})=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(k,{filtered:r!==``,label:C(`nav.tenants`),rows:e.nodes,id:e=>e.id,columns:[{name:C(`common.identifier`),cell:e=>(0,U.jsx)(a,{href:`/tenants/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:C(`common.name`),cell:e=>e.name??`–`},{name:C(`common.created`),cell:e=>(0,U.jsx)(D,{at:e.createdAt})}]}),(0,U.jsx)(E,{label:C(`nav.tenants`),pager:i,info:e.pageInfo})]})})}),s&&(0,U.jsx)(q,{onClose:()=>c(!1)})]})}function q({onClose:e}){let[t,n]=(0,H.useState)(``),[r,i]=(0,H.useState)(``),[,a]=o(),c=m(L,e=>a(`/tenants/${encodeURIComponent(e.createTenant.tenant.identifier)}`));return(0,U.jsx)(s,{title:C(`tenants.newTenant`),onClose:e,children:(0,U.jsxs)(y,{submit:C(`common.create`),action:c,onSubmit:()=>c.run({input:{identifier:t,name:r||void 0}}),children:[(0,U.jsx)(b,{label:C(`common.identifier`),at:`identifier`,value:t,onChange:n,required:!0,hint:C(`tenants.usedByTriggers`)}),(0,U.jsx)(b,{label:C(`common.name`),at:`name`,value:r,onChange:i})]})})}function J({identifier:e}){let t=h(F,{identifier:e});return(0,U.jsx)(T,{of:t,title:e,children:({tenantByIdentifier:e})=>(0,U.jsx)(Y,{of:e,reload:t.reload},e.id)})}function Y({of:e,reload:t}){let[n,r]=(0,H.useState)(e.name??``),[a,s]=(0,H.useState)(e.data==null?``:JSON.stringify(e.data,null,2)),[l,u]=(0,H.useState)(),[,d]=o(),f=S({name:n,data:a}),p=m(R,()=>{f.keep(),t()}),h=m(z,()=>{x(),d(`/tenants`)});return(0,U.jsxs)(M,{title:e.name||e.identifier,actions:(0,U.jsx)(c,{label:C(`common.delete`),question:C(`tenants.deleteTheTenantIdentifierWith`,{identifier:e.identifier}),busy:h.busy,onConfirm:()=>h.run({id:e.id})}),children:[(0,U.jsx)(w,{error:h.error}),(0,U.jsxs)(`div`,{className:`cols`,children:[(0,U.jsx)(A,{title:C(`word.TENANT`),children:(0,U.jsxs)(y,{submit:C(`common.save`),action:{busy:p.busy,error:l??p.error},onSubmit:()=>{u(void 0);try{p.run({input:{id:e.id,name:n||null,data:i(a,C(`common.data`),`data`)}})}catch(e){u(e)}},children:[(0,U.jsx)(b,{label:C(`common.name`),at:`name`,value:n,onChange:r}),(0,U.jsx)(_,{label:C(`common.data`),at:`data`,lines:6,value:a,onChange:s,hint:C(`tenants.dataHint`,{variable:`{{ tenant.data.<key> }}`})}),(0,U.jsx)(j,{children:f.saved&&C(`common.saved`)})]})}),(0,U.jsx)(A,{title:C(`common.details`),children:(0,U.jsx)(O,{of:{[C(`common.identifier`)]:(0,U.jsx)(`code`,{children:e.identifier}),[C(`subscriber.record`)]:(0,U.jsx)(`code`,{children:e.internalId}),[C(`common.created`)]:(0,U.jsx)(D,{at:e.createdAt}),[C(`common.changed`)]:(0,U.jsx)(D,{at:e.updatedAt})}})})]}),(0,U.jsx)(W,{tenant:e.identifier})]})}export{J as TenantPage,K as Tenants};