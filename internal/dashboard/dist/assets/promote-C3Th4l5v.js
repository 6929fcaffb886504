import{C as e,a as t,c as n,d as r,g as i,l as a,m as o,n as s,p as c,t as l,u}from"./ui-CoQ-QTUx.js";import{i as d,n as f,t as p}from"./jsx-runtime-DyZJNswf.js";import{r as m,t as h}from"./address-NG03ewlH.js";import{_ as g,d as _,m as v,t as y}from"./document-dlEMawag.js";import{S as b,U as x,i as S,t as C,v as w,x as T}from"./button-Dgb5THJ5.js";import{l as E,n as D,s as O}from"./form-DrW5btIS.js";import{c as k,r as A}from"./lists-CpmF0fzc.js";import{t as j}from"./rich-BGhUkuLd.js";import{c as M}from"./text-Dt6ehE6o.js";var N=new y(`
    query PromotionPlan($input: PromotionInput!) {
  promotionPlan(input: $input) {
    fingerprint
    changes {
      kind
      name
      action
      fields {
        path
        words {
          change
          text
        }
      }
    }
    dependencies {
      kind
      name
      included
      neededBy {
        kind
        name
      }
    }
    issues {
      workflow
      stepId
      message
    }
  }
}
    `),P=new y(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),F=new y(`
    query Promotions($first: Int, $after: String, $last: Int, $before: String) {
  promotions(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      sourceIdentifier
      actorType
      actorName
      undoesId
      undoneById
      createdAt
      resources {
        kind
        name
        action
        sourceVersion
        version
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
    `),I=new y(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),L=d(f(),1);function R(e,t,n,r){let i=t=>e.find(e=>e.id===t),a=(t,...n)=>{let r=e.filter(e=>e.id!==t?.id);return n.map(e=>r.find(e)).find(e=>e)??r[0]},o=e=>e.id===t,s=e=>e.type===`PRODUCTION`,c=i(r)??a(i(n),e=>o(e)&&s(e),s,o);return{source:i(n)??a(c,o,e=>!s(e)),target:c}}var z=e=>`${e.kind}/${e.name}`,B=e=>`${b(e.kind).toLowerCase()} ${e.name}`;function V(e){let t=k(e);if(t.length!==0)return t.map(e=>{let[,t,n]=/^([a-z][a-z -]*)\/(.+)$/i.exec(e)??[];if(!t||!n)throw Error(M(`promote.noResource`,{text:e}));return{kind:t.toUpperCase().replaceAll(/[ -]/g,`_`),name:n}})}var H=80;function U(e,t){return e.flatMap((n,r)=>{if(n.change===t)return[];if(n.change!==`SAME`||n.text.length<=240)return[n];let i=r===0?``:n.text.slice(0,H),a=r===e.length-1?``:n.text.slice(-80);return[{...n,text:`${i} … ${a}`}]})}function W(e){let t=M(`promote.did.${e.action}`,{part:B(e)});return e.version===null?t:e.sourceVersion===null?M(`promote.nowVersion`,{text:t,version:e.version}):M(`promote.asVersion`,{text:t,source:e.sourceVersion,version:e.version})}var G=p();function K({viewer:e}){let{environment:t}=e.viewer,[n,r]=(0,L.useState)(0),[i,a]=(0,L.useState)(0),o=T(`EDITOR`);return(0,G.jsxs)(u,{title:M(`promote.promote`),children:[o&&(0,G.jsx)(q,{environments:e.environments.nodes,here:t.id,onPromoted:()=>r(n+1),undone:i}),(0,G.jsx)(ee,{environment:t.name,onUndone:()=>a(i+1)},n)]})}function q({environments:e,here:t,onPromoted:n,undone:r}){let{get:i,set:a}=h(),{source:o,target:c}=R(e,t,i(`from`),i(`to`)),l=e.map(e=>({value:e.id,label:e.name})),u=i(`only`);return!o||!c?(0,G.jsx)(s,{children:(0,G.jsx)(`p`,{className:`soft`,children:M(`promote.aPromotionNeedsTwoEnvironments`)})}):(0,G.jsxs)(G.Fragment,{children:[(0,G.jsxs)(s,{children:[(0,G.jsxs)(`div`,{className:`filters`,children:[(0,G.jsx)(O,{label:M(`common.from`),value:o.id,onChange:a(`from`),options:l}),(0,G.jsx)(O,{label:M(`common.to`),value:c.id,onChange:a(`to`),options:l})]}),(0,G.jsx)(E,{label:M(`promote.onlyTheseResources`),value:u,onChange:a(`only`),wrong:J(u),placeholder:`workflow/order-shipped, layout/brand`,hint:M(`promote.ifEmptyAllThatDiffer`)})]}),o.id===c.id?(0,G.jsx)(s,{children:(0,G.jsx)(`p`,{className:`soft`,children:M(`promote.chooseTwoDifferentEnvironments`)})}):!J(u)&&(0,G.jsx)(Y,{source:o,target:c,here:t,only:V(u),onPromoted:n},`${o.id} ${c.id} ${r}`)]})}function J(e){try{return V(e),``}catch(e){return e.message}}function Y({source:r,target:i,here:a,only:o,onPromoted:l}){let[u,d]=(0,L.useState)(!0),[f,p]=(0,L.useState)([]),[m,h]=(0,L.useState)(``),y={source:r.id,target:i.id,withDependencies:u},b=v(N,{input:{...y,parts:o}}),w=(b.data?.promotionPlan.changes??[]).filter(e=>!f.includes(z(e))),T=w.map(({kind:e,name:t})=>({kind:e,name:t})),E=f.length>0&&w.length>0,O=v(N,{input:{...y,parts:T}},!E),k=E?O:b,F=_(P,e=>{h(M(`promote.promoted`,{n:e.promote.plan.changes.length,name:i.name})),p([]),b.reload(),l()}),I=()=>{F.clear(),b.reload(),O.reload()},R=w.length>0&&!k.loading&&!k.error&&!b.loading;return(0,G.jsxs)(s,{title:M(`promote.whatDiffersNameAndName2`,{name:i.name,name2:r.name}),children:[(0,G.jsx)(c,{children:m}),i.id!==a&&(0,G.jsx)(`p`,{className:`soft`,children:j(`promote.undoneThere`,{list:(0,G.jsx)(`a`,{href:g(`${location.origin}/dashboard/promote`,i.identifier),children:M(`promote.promotionsIntoEnvironment`,{environment:i.name})})})}),(0,G.jsx)(n,{of:b,children:({promotionPlan:n})=>n.changes.length===0?(0,G.jsx)(`p`,{children:o?M(`promote.holdsThese`,{target:i.name}):M(`promote.holdsAll`,{target:i.name,source:r.name})}):(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(D,{label:M(`promote.alsoPromoteWhatTheyRefer`),value:u,onChange:d}),n.changes.map(e=>(0,G.jsx)(Z,{of:e,source:r.name,target:i.name,on:!f.includes(z(e)),onChange:t=>p(A(f,z(e),!t))},z(e))),E&&(0,G.jsx)(t,{error:O.error}),!k.error&&k.data&&(0,G.jsx)($,{of:k.data.promotionPlan}),(0,G.jsx)(t,{error:F.error}),F.error instanceof x&&F.error.code===`CONFIGURATION_CHANGED`&&(0,G.jsx)(C,{icon:e,onClick:I,children:M(`promote.planAgain`)}),(0,G.jsx)(`div`,{className:`row end`,children:(0,G.jsx)(S,{label:M(`promote.promote`),question:M(`promote.promoteCountFromNameTo`,{n:w.length,name:r.name,name2:i.name}),busy:!R||F.busy,onConfirm:()=>F.run({input:{...y,parts:E?T:o,fingerprint:k.data?.promotionPlan.fingerprint}})})})]})})]})}var X={CREATE:`good`,UPDATE:`wait`,DELETE:`bad`};function Z({of:e,source:t,target:n,on:r,onChange:i}){let a=B(e);return(0,G.jsxs)(`section`,{className:`stack`,"aria-label":a,children:[(0,G.jsxs)(`div`,{className:`row`,children:[(0,G.jsx)(D,{label:a,value:r,onChange:i}),(0,G.jsx)(l,{tone:X[e.action],children:b(e.action)})]}),e.fields.length>0&&(0,G.jsxs)(`details`,{open:!0,children:[(0,G.jsxs)(`summary`,{children:[M(`promote.fields`,{n:e.fields.length}),(0,G.jsx)(`span`,{className:`hidden`,children:M(`promote.ofName`,{name:a})})]}),(0,G.jsx)(o,{label:M(`promote.fieldsOfName`,{name:a}),rows:e.fields,id:e=>e.path,columns:[{name:M(`promote.field`),cell:e=>(0,G.jsx)(`code`,{children:e.path})},{name:M(`promote.now`,{target:n}),cell:e=>(0,G.jsx)(Q,{of:U(e.words,`ADDED`)})},{name:M(`promote.from`,{source:t}),cell:e=>(0,G.jsx)(Q,{of:U(e.words,`REMOVED`)})}]})]})]})}function Q({of:e}){return e.length===0?(0,G.jsx)(`span`,{className:`soft`,children:`–`}):(0,G.jsx)(`span`,{className:`words`,children:e.map((e,t)=>e.change===`ADDED`?(0,G.jsx)(`ins`,{children:e.text},t):e.change===`REMOVED`?(0,G.jsx)(`del`,{children:e.text},t):(0,G.jsx)(`span`,{children:e.text},t))})}function $({of:e}){let t=e.dependencies.filter(e=>e.included);return(0,G.jsxs)(G.Fragment,{children:[t.length>0&&(0,G.jsxs)(a,{children:[M(`promote.alongWith`),(0,G.jsx)(`ul`,{children:t.map(e=>(0,G.jsx)(`li`,{children:M(`promote.neededBy`,{part:B(e),others:e.neededBy.map(B).join(`, `)})},z(e)))})]}),e.issues.length>0&&(0,G.jsxs)(a,{tone:`wait`,children:[M(`promote.problems`),(0,G.jsx)(`ul`,{children:e.issues.map((e,t)=>(0,G.jsx)(`li`,{children:M(e.stepId?`promote.issueOfStep`:`promote.issue`,{workflow:e.workflow,step:e.stepId??``,message:e.message})},t))})]})]})}function ee({environment:e,onUndone:a}){let c=m(),u=v(F,c.variables),d=_(I,()=>{u.reload(),a()});return(0,G.jsxs)(s,{title:M(`promote.promotionsIntoEnvironment`,{environment:e}),children:[(0,G.jsx)(t,{error:d.error}),(0,G.jsx)(n,{of:u,children:({promotions:t})=>(0,G.jsxs)(G.Fragment,{children:[(0,G.jsx)(o,{label:M(`promote.promotions`),rows:t.nodes,id:e=>e.id,empty:M(`promote.nothingWasPromotedIntoThis`),columns:[{name:M(`common.when`),cell:e=>(0,G.jsx)(i,{at:e.createdAt})},{name:M(`common.from`),cell:e=>e.sourceIdentifier},{name:M(`promote.who`),cell:e=>e.actorType===`API_KEY`?M(`common.keyNamed`,{name:e.actorName??``}):e.actorName||e.actorType},{name:M(`promote.what`),cell:e=>(0,G.jsx)(`ul`,{className:`bare`,children:e.resources.map(e=>(0,G.jsx)(`li`,{children:W(e)},`${e.kind} ${e.name}`))})},{name:``,cell:t=>(0,G.jsxs)(`span`,{className:`row`,children:[t.undoesId&&(0,G.jsx)(l,{children:M(`promote.undoesAnEarlierOne`)}),t.undoneById?(0,G.jsx)(l,{tone:`bad`,children:M(`promote.undone`)}):(0,G.jsx)(w,{children:(0,G.jsx)(S,{label:M(`promote.undo`),question:M(`promote.restoreWhatEnvironmentHeldBefore`,{environment:e}),busy:d.busy,onConfirm:()=>d.run({id:t.id})})})]})}]}),(0,G.jsx)(r,{label:M(`promote.promotions`),pager:c,info:t.pageInfo})]})})]})}export{K as Promote};