import{r as e,t}from"./address-NG03ewlH.js";import{m as n,t as r}from"./document-dlEMawag.js";import{t as i}from"./button-Dgb5THJ5.js";import{l as a,s as o}from"./form-DrW5btIS.js";import{c as s}from"./text-Dt6ehE6o.js";import{c,d as l,g as u,m as d,n as f,s as p,u as m}from"./ui-CoQ-QTUx.js";import{t as h}from"./jsx-runtime-DyZJNswf.js";var g=new r(`
    query Audit($first: Int, $after: String, $last: Int, $before: String, $filter: AuditEntryFilter, $organization: Boolean!) {
  auditEntries(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
    organization: $organization
  ) {
    nodes {
      id
      actorType
      actorId
      actorName
      address
      action
      recordType
      recordId
      changes
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
    `),_=h();function v(){let{get:r,set:h}=t(),v=r(`action`),y=r(`record`),b={actionIn:v?[v]:void 0,recordTypeIn:y?[y]:void 0,actorId:r(`actor`)||void 0},x=e(),S=n(g,{...x.variables,filter:b,organization:r(`of`)===`organization`});return(0,_.jsxs)(m,{title:s(`audit.auditLog`),children:[(0,_.jsx)(f,{children:(0,_.jsxs)(`div`,{className:`filters`,children:[(0,_.jsx)(o,{label:s(`audit.scope`),value:r(`of`),onChange:h(`of`),options:[{value:``,label:s(`audit.thisEnvironment`)},{value:`organization`,label:s(`audit.organizationIncludingDeletedEnvironments`)}]}),(0,_.jsx)(a,{label:s(`audit.action`),value:v,onChange:h(`action`),placeholder:`update`}),(0,_.jsx)(a,{label:s(`audit.recordType`),value:y,onChange:h(`record`),placeholder:s(`common.workflow`)}),(0,_.jsx)(a,{label:s(`audit.actorID`),value:r(`actor`),onChange:h(`actor`)})]})}),(0,_.jsx)(f,{children:(0,_.jsx)(c,{of:S,children:({auditEntries:e})=>(0,_.jsxs)(_.Fragment,{children:[(0,_.jsx)(d,{label:s(`audit.auditLog`),rows:e.nodes,id:e=>e.id,empty:s(`audit.noEntriesMatchTheseFilters`),columns:[{name:s(`common.when`),cell:e=>(0,_.jsx)(u,{at:e.createdAt})},{name:s(`audit.actor`),cell:e=>(0,_.jsxs)(`span`,{children:[e.actorType.endsWith(`KEY`)?s(`common.keyNamed`,{name:e.actorName??``}):e.actorName||e.actorType,` `,e.actorId&&(0,_.jsxs)(i,{look:`plain`,className:`mono`,onClick:()=>h(`actor`)(e.actorId),children:[e.actorId,(0,_.jsx)(`span`,{className:`hidden`,children:s(`audit.filterByThisActor`)})]})]})},{name:s(`common.from`),cell:e=>e.address||`–`},{name:s(`audit.action`),cell:e=>e.action},{name:s(`audit.record`),cell:e=>(0,_.jsxs)(`span`,{children:[e.recordType,` `,(0,_.jsx)(`code`,{children:e.recordId})]})},{name:s(`audit.changes`),cell:e=>e.changes==null?`–`:(0,_.jsxs)(`details`,{children:[(0,_.jsxs)(`summary`,{children:[s(`audit.show`),(0,_.jsx)(`span`,{className:`hidden`,children:s(`audit.changesOf`,{type:e.recordType})})]}),(0,_.jsx)(p,{label:s(`audit.changesOfRecordType`,{recordType:e.recordType}),value:e.changes})]})}]}),(0,_.jsx)(l,{label:s(`audit.auditLog`),pager:x,info:e.pageInfo})]})})})]})}export{v as Audit};