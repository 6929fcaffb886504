import{t as e}from"./plus-DMsR_D0x.js";import{i as t,n,t as r}from"./jsx-runtime-DyZJNswf.js";import{A as i,F as a,G as o,_ as s,a as c,i as l,t as u,y as d}from"./button-DrZok8y8.js";import{r as f,t as p}from"./address-AAVe8LmF.js";import{f as m,t as h,u as g}from"./document-DOpnm8OA.js";import{n as _}from"./json-INN3mvjR.js";import{c as v,i as y,l as b}from"./form-LUm_ZQFx.js";import{c as x}from"./text-AeBTDtkA.js";import{a as S,c as C,d as w,g as T,i as E,m as D,n as O,p as k,u as A}from"./ui-Bua6Uujo.js";import{a as j,r as M}from"./unsaved-CFuxLlyc.js";import{t as N}from"./definition-D7Q1mS0-.js";var P=new h(`
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
    `),F=new h(`
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
    `),I=new h(`
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
    `),L=new h(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    tenant {
      identifier
    }
  }
}
    `),R=new h(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    tenant {
      id
    }
  }
}
    `),z=new h(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    deletedId
  }
}
    `),B=new h(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    tenantWorkflow {
      id
    }
  }
}
    `),V=new h(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    deletedId
  }
}
    `),H=t(n(),1),U=r();function W({tenant:e}){let t=f(`workflows-`),n=m(I,{tenant:e,...t.variables}),r=g(B,n.reload),a=g(V,n.reload),o=g(B,()=>{u(``),n.reload()}),[c,u]=(0,H.useState)(``),d=(t,n)=>r.run({input:{tenantIdentifier:e,workflow:t.workflow.id,...n}});return(0,U.jsxs)(O,{title:x(`tenantworkflows.workflowsForThisTenant`),children:[(0,U.jsx)(S,{error:r.error??a.error}),(0,U.jsx)(C,{of:n,children:({tenantWorkflows:e})=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(D,{label:x(`tenantworkflows.workflowsForThisTenant`),rows:e.nodes.filter(e=>e.workflow),id:e=>e.id,empty:x(`tenantworkflows.noOverridesAllWorkflowsUse`),columns:[{name:x(`common.workflow`),cell:e=>(0,U.jsx)(i,{href:`/workflows/${encodeURIComponent(e.workflow.identifier)}`,children:e.workflow.name})},{name:x(`common.enabled`),cell:e=>(0,U.jsx)(v,{label:x(`tenantworkflows.nameIsEnabledForThis`,{name:e.workflow.name}),on:e.active,busy:r.busy,onChange:t=>d(e,{active:t})})},...N().map(([e,t])=>({name:t,cell:n=>(0,U.jsx)(G,{label:x(`tenantworkflows.nameForName2`,{name:t,name2:n.workflow.name}),value:n.preferences[e],onChange:t=>d(n,{preferences:{...n.preferences,[e]:t}})})})),{name:``,cell:e=>(0,U.jsx)(l,{label:x(`common.remove`),question:x(`tenantworkflows.removeTheOverridesOfName`,{name:e.workflow.name}),busy:a.busy,onConfirm:()=>a.run({id:e.id})})}]}),(0,U.jsx)(w,{label:x(`tenantworkflows.workflowsForThisTenant`),pager:t,info:e.pageInfo})]})}),(0,U.jsx)(s,{children:(0,U.jsx)(y,{submit:x(`tenantworkflows.add`),action:o,onSubmit:()=>o.run({input:{tenantIdentifier:e,workflow:c}}),children:(0,U.jsx)(b,{label:x(`tenantworkflows.workflowIdentifier`),at:`workflow`,value:c,onChange:u,required:!0})})})]})}function G({label:e,value:t,onChange:n}){let r=d(`EDITOR`);return(0,U.jsxs)(`select`,{"aria-label":e,disabled:!r,value:String(t),onChange:e=>n(e.target.value===`null`?null:e.target.value===`true`),children:[(0,U.jsx)(`option`,{value:`null`,children:x(`common.default`)}),(0,U.jsx)(`option`,{value:`true`,children:x(`common.on`)}),(0,U.jsx)(`option`,{value:`false`,children:x(`common.off2`)})]})}function K(){let{get:t,set:n}=p(),r=t(`name`),a=f(),o=m(P,{...a.variables,filter:{nameContains:r||void 0}}),[c,l]=(0,H.useState)(!1);return(0,U.jsxs)(A,{title:x(`nav.tenants`),actions:(0,U.jsx)(s,{children:(0,U.jsx)(u,{icon:e,look:`primary`,onClick:()=>l(!0),children:x(`tenants.newTenant`)})}),children:[(0,U.jsx)(O,{children:(0,U.jsx)(b,{label:x(`common.nameContains`),value:r,onChange:n(`name`)})}),(0,U.jsx)(O,{children:(0,U.jsx)(C,{of:o,children:({tenants:e})=>(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(D,{filtered:r!==``,label:x(`nav.tenants`),rows:e.nodes,id:e=>e.id,columns:[{name:x(`common.identifier`),cell:e=>(0,U.jsx)(i,{href:`/tenants/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:x(`common.name`),cell:e=>e.name??`–`},{name:x(`common.created`),cell:e=>(0,U.jsx)(T,{at:e.createdAt})}]}),(0,U.jsx)(w,{label:x(`nav.tenants`),pager:a,info:e.pageInfo})]})})}),c&&(0,U.jsx)(q,{onClose:()=>l(!1)})]})}function q({onClose:e}){let[t,n]=(0,H.useState)(``),[r,i]=(0,H.useState)(``),[,o]=a(),s=g(L,e=>o(`/tenants/${encodeURIComponent(e.createTenant.tenant.identifier)}`));return(0,U.jsx)(c,{title:x(`tenants.newTenant`),onClose:e,children:(0,U.jsxs)(y,{submit:x(`common.create`),action:s,onSubmit:()=>s.run({input:{identifier:t,name:r||void 0}}),children:[(0,U.jsx)(b,{label:x(`common.identifier`),at:`identifier`,value:t,onChange:n,required:!0,hint:x(`tenants.usedByTriggers`)}),(0,U.jsx)(b,{label:x(`common.name`),at:`name`,value:r,onChange:i})]})})}function J({identifier:e}){let t=m(F,{identifier:e});return(0,U.jsx)(C,{of:t,title:e,children:({tenantByIdentifier:e})=>(0,U.jsx)(Y,{of:e,reload:t.reload},e.id)})}function Y({of:e,reload:t}){let[n,r]=(0,H.useState)(e.name??``),[i,s]=(0,H.useState)(e.data==null?``:JSON.stringify(e.data,null,2)),[c,u]=(0,H.useState)(),[d,f]=(0,H.useState)(!1),[,p]=a(),m=j({name:n,data:i}),h=g(R,()=>{f(!0),m(),t()}),v=g(z,()=>{M(),p(`/tenants`)});return(0,U.jsxs)(A,{title:e.name||e.identifier,actions:(0,U.jsx)(l,{label:x(`common.delete`),question:x(`tenants.deleteTheTenantIdentifierWith`,{identifier:e.identifier}),busy:v.busy,onConfirm:()=>v.run({id:e.id})}),children:[(0,U.jsx)(S,{error:v.error}),(0,U.jsxs)(`div`,{className:`cols`,children:[(0,U.jsx)(O,{title:x(`word.TENANT`),children:(0,U.jsxs)(y,{submit:x(`common.save`),action:{busy:h.busy,error:c??h.error},onSubmit:()=>{f(!1),u(void 0);try{h.run({input:{id:e.id,name:n||null,data:o(i,x(`common.data`),`data`)}})}catch(e){u(e)}},children:[(0,U.jsx)(b,{label:x(`common.name`),at:`name`,value:n,onChange:r}),(0,U.jsx)(_,{label:x(`common.data`),at:`data`,lines:6,value:i,onChange:s,hint:x(`tenants.dataHint`,{variable:`{{ tenant.data.<key> }}`})}),(0,U.jsx)(k,{children:d&&x(`common.saved`)})]})}),(0,U.jsx)(O,{title:x(`common.details`),children:(0,U.jsx)(E,{of:{[x(`common.identifier`)]:(0,U.jsx)(`code`,{children:e.identifier}),[x(`subscriber.record`)]:(0,U.jsx)(`code`,{children:e.internalId}),[x(`common.created`)]:(0,U.jsx)(T,{at:e.createdAt}),[x(`common.changed`)]:(0,U.jsx)(T,{at:e.updatedAt})}})})]}),(0,U.jsx)(W,{tenant:e.identifier})]})}export{J as TenantPage,K as Tenants};