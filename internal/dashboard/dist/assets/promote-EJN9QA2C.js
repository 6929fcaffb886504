import{C as e,a as t,c as n,d as r,g as i,l as a,m as o,n as s,p as c,t as l,u}from"./ui-Bua6Uujo.js";import{i as d,n as f,t as p}from"./jsx-runtime-DyZJNswf.js";import{r as m,t as h}from"./address-AAVe8LmF.js";import{f as g,t as _,u as v}from"./document-DOpnm8OA.js";import{B as y,_ as b,i as x,t as S,y as C}from"./button-DrZok8y8.js";import{l as w,n as T,s as E}from"./form-LUm_ZQFx.js";import{c as D,r as O}from"./lists-CpmF0fzc.js";import{c as k}from"./text-AeBTDtkA.js";import{t as A}from"./words-BFceARnm.js";var j=new _(`
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
    `),M=new _(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),N=new _(`
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
    `),P=new _(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),F=d(f(),1),I=e=>`${e.kind}/${e.name}`,L=e=>`${A(e.kind).toLowerCase()} ${e.name}`;function R(e){let t=D(e);if(t.length!==0)return t.map(e=>{let[,t,n]=/^([a-z][a-z -]*)\/(.+)$/i.exec(e)??[];if(!t||!n)throw Error(k(`promote.noResource`,{text:e}));return{kind:t.toUpperCase().replaceAll(/[ -]/g,`_`),name:n}})}var z=80;function B(e,t){return e.flatMap((n,r)=>{if(n.change===t)return[];if(n.change!==`SAME`||n.text.length<=240)return[n];let i=r===0?``:n.text.slice(0,z),a=r===e.length-1?``:n.text.slice(-80);return[{...n,text:`${i} … ${a}`}]})}function V(e){let t=k(`promote.did.${e.action}`,{part:L(e)});return e.version===null?t:e.sourceVersion===null?k(`promote.nowVersion`,{text:t,version:e.version}):k(`promote.asVersion`,{text:t,source:e.sourceVersion,version:e.version})}var H=p();function U({viewer:e}){let{environment:t}=e.viewer,[n,r]=(0,F.useState)(0),[i,a]=(0,F.useState)(0),o=C(`EDITOR`);return(0,H.jsxs)(u,{title:k(`promote.promote`),children:[o&&(0,H.jsx)(W,{environments:e.environments.nodes,here:t.id,onPromoted:()=>r(n+1),undone:i}),(0,H.jsx)(Z,{environment:t.name,onUndone:()=>a(i+1)},n)]})}function W({environments:e,here:t,onPromoted:n,undone:r}){let{get:i,set:a}=h(),o=t=>e.find(e=>e.id===t),c=o(i(`to`))??o(t),l=o(i(`from`))??e.find(e=>e.id!==c?.id),u=e.map(e=>({value:e.id,label:e.name})),d=i(`only`);return!l||!c?(0,H.jsx)(s,{children:(0,H.jsx)(`p`,{className:`soft`,children:k(`promote.aPromotionNeedsTwoEnvironments`)})}):(0,H.jsxs)(H.Fragment,{children:[(0,H.jsxs)(s,{children:[(0,H.jsxs)(`div`,{className:`filters`,children:[(0,H.jsx)(E,{label:k(`common.from`),value:l.id,onChange:a(`from`),options:u}),(0,H.jsx)(E,{label:k(`common.to`),value:c.id,onChange:a(`to`),options:u})]}),(0,H.jsx)(w,{label:k(`promote.onlyTheseResources`),value:d,onChange:a(`only`),wrong:G(d),placeholder:`workflow/order-shipped, layout/brand`,hint:k(`promote.ifEmptyAllThatDiffer`)})]}),l.id===c.id?(0,H.jsx)(s,{children:(0,H.jsx)(`p`,{className:`soft`,children:k(`promote.chooseTwoDifferentEnvironments`)})}):!G(d)&&(0,H.jsx)(K,{source:l,target:c,only:R(d),onPromoted:n},`${l.id} ${c.id} ${r}`)]})}function G(e){try{return R(e),``}catch(e){return e.message}}function K({source:r,target:i,only:a,onPromoted:o}){let[l,u]=(0,F.useState)(!0),[d,f]=(0,F.useState)([]),[p,m]=(0,F.useState)(``),h={source:r.id,target:i.id,withDependencies:l},_=g(j,{input:{...h,parts:a}}),b=(_.data?.promotionPlan.changes??[]).filter(e=>!d.includes(I(e))),C=b.map(({kind:e,name:t})=>({kind:e,name:t})),w=d.length>0&&b.length>0,E=g(j,{input:{...h,parts:C}},!w),D=w?E:_,A=v(M,e=>{m(k(`promote.promoted`,{n:e.promote.plan.changes.length,name:i.name})),f([]),_.reload(),o()}),N=()=>{A.clear(),_.reload(),E.reload()},P=b.length>0&&!D.loading&&!D.error&&!_.loading;return(0,H.jsxs)(s,{title:k(`promote.whatDiffersNameAndName2`,{name:i.name,name2:r.name}),children:[(0,H.jsx)(c,{children:p}),(0,H.jsx)(n,{of:_,children:({promotionPlan:n})=>n.changes.length===0?(0,H.jsx)(`p`,{children:a?k(`promote.holdsThese`,{target:i.name}):k(`promote.holdsAll`,{target:i.name,source:r.name})}):(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(T,{label:k(`promote.alsoPromoteWhatTheyRefer`),value:l,onChange:u}),n.changes.map(e=>(0,H.jsx)(J,{of:e,source:r.name,target:i.name,on:!d.includes(I(e)),onChange:t=>f(O(d,I(e),!t))},I(e))),w&&(0,H.jsx)(t,{error:E.error}),!D.error&&D.data&&(0,H.jsx)(X,{of:D.data.promotionPlan}),(0,H.jsx)(t,{error:A.error}),A.error instanceof y&&A.error.code===`CONFIGURATION_CHANGED`&&(0,H.jsx)(S,{icon:e,onClick:N,children:k(`promote.planAgain`)}),(0,H.jsx)(`div`,{className:`row end`,children:(0,H.jsx)(x,{label:k(`promote.promote`),question:k(`promote.promoteCountFromNameTo`,{n:b.length,name:r.name,name2:i.name}),busy:!P||A.busy,onConfirm:()=>A.run({input:{...h,parts:w?C:a,fingerprint:D.data?.promotionPlan.fingerprint}})})})]})})]})}var q={CREATE:`good`,UPDATE:`wait`,DELETE:`bad`};function J({of:e,source:t,target:n,on:r,onChange:i}){let a=L(e);return(0,H.jsxs)(`section`,{className:`stack`,"aria-label":a,children:[(0,H.jsxs)(`div`,{className:`row`,children:[(0,H.jsx)(T,{label:a,value:r,onChange:i}),(0,H.jsx)(l,{tone:q[e.action],children:A(e.action)})]}),e.fields.length>0&&(0,H.jsxs)(`details`,{open:!0,children:[(0,H.jsxs)(`summary`,{children:[k(`promote.fields`,{n:e.fields.length}),(0,H.jsx)(`span`,{className:`hidden`,children:k(`promote.ofName`,{name:a})})]}),(0,H.jsx)(o,{label:k(`promote.fieldsOfName`,{name:a}),rows:e.fields,id:e=>e.path,columns:[{name:k(`promote.field`),cell:e=>(0,H.jsx)(`code`,{children:e.path})},{name:k(`promote.now`,{target:n}),cell:e=>(0,H.jsx)(Y,{of:B(e.words,`ADDED`)})},{name:k(`promote.from`,{source:t}),cell:e=>(0,H.jsx)(Y,{of:B(e.words,`REMOVED`)})}]})]})]})}function Y({of:e}){return e.length===0?(0,H.jsx)(`span`,{className:`soft`,children:`–`}):(0,H.jsx)(`span`,{className:`words`,children:e.map((e,t)=>e.change===`ADDED`?(0,H.jsx)(`ins`,{children:e.text},t):e.change===`REMOVED`?(0,H.jsx)(`del`,{children:e.text},t):(0,H.jsx)(`span`,{children:e.text},t))})}function X({of:e}){let t=e.dependencies.filter(e=>e.included);return(0,H.jsxs)(H.Fragment,{children:[t.length>0&&(0,H.jsxs)(a,{children:[k(`promote.alongWith`),(0,H.jsx)(`ul`,{children:t.map(e=>(0,H.jsx)(`li`,{children:k(`promote.neededBy`,{part:L(e),others:e.neededBy.map(L).join(`, `)})},I(e)))})]}),e.issues.length>0&&(0,H.jsxs)(a,{tone:`wait`,children:[k(`promote.problems`),(0,H.jsx)(`ul`,{children:e.issues.map((e,t)=>(0,H.jsx)(`li`,{children:k(e.stepId?`promote.issueOfStep`:`promote.issue`,{workflow:e.workflow,step:e.stepId??``,message:e.message})},t))})]})]})}function Z({environment:e,onUndone:a}){let c=m(),u=g(N,c.variables),d=v(P,()=>{u.reload(),a()});return(0,H.jsxs)(s,{title:k(`promote.promotionsIntoEnvironment`,{environment:e}),children:[(0,H.jsx)(t,{error:d.error}),(0,H.jsx)(n,{of:u,children:({promotions:t})=>(0,H.jsxs)(H.Fragment,{children:[(0,H.jsx)(o,{label:k(`promote.promotions`),rows:t.nodes,id:e=>e.id,empty:k(`promote.nothingWasPromotedIntoThis`),columns:[{name:k(`common.when`),cell:e=>(0,H.jsx)(i,{at:e.createdAt})},{name:k(`common.from`),cell:e=>e.sourceIdentifier},{name:k(`promote.who`),cell:e=>e.actorType===`API_KEY`?k(`common.keyNamed`,{name:e.actorName??``}):e.actorName||e.actorType},{name:k(`promote.what`),cell:e=>(0,H.jsx)(`ul`,{className:`bare`,children:e.resources.map(e=>(0,H.jsx)(`li`,{children:V(e)},`${e.kind} ${e.name}`))})},{name:``,cell:t=>(0,H.jsxs)(`span`,{className:`row`,children:[t.undoesId&&(0,H.jsx)(l,{children:k(`promote.undoesAnEarlierOne`)}),t.undoneById?(0,H.jsx)(l,{tone:`bad`,children:k(`promote.undone`)}):(0,H.jsx)(b,{children:(0,H.jsx)(x,{label:k(`promote.undo`),question:k(`promote.restoreWhatEnvironmentHeldBefore`,{environment:e}),busy:d.busy,onConfirm:()=>d.run({id:t.id})})})]})}]}),(0,H.jsx)(r,{label:k(`promote.promotions`),pager:c,info:t.pageInfo})]})})]})}export{U as Promote};