import{t as e}from"./play-C9t0eCD5.js";import{t}from"./plus-DnFrg5jt.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{N as a,R as ee,S as o,i as te,t as s,tt as c,v as l}from"./button-BN0QXP3S.js";import{r as u}from"./address-BHq2i49I.js";import{c as d,f,m as p,t as m}from"./document-__yBWdMy.js";import{c as h,i as ne,l as g,n as _,o as v,s as y}from"./form-F0xFNEb5.js";import{t as b}from"./identifier-field-DFvYet_C.js";import{n as x}from"./marks-Bs-tqbgL.js";import{t as S}from"./fields-BM-gpFrO.js";import{t as re}from"./saved-BObOAdb6.js";import{t as C}from"./settled-dJsPCCLj.js";import{c as w}from"./text-DjmMxfOS.js";import{r as T}from"./time-D8_SN1N-.js";import{a as E,c as D,d as O,g as k,m as A,n as j,p as ie,t as M,u as N}from"./ui-D2k4UMZz.js";import{n as P}from"./broadcasts-FTJpuMZ0.js";import{t as F}from"./trash-BARPWY7t.js";import{l as I,u as L}from"./lists-CpmF0fzc.js";var R=new m(`
    query Schedules($first: Int, $after: String, $last: Int, $before: String) {
  triggerSchedules(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      ...ScheduleParts
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    fragment ScheduleParts on TriggerSchedule {
  id
  internalId
  name
  workflow {
    identifier
    name
  }
  to {
    subscriberId
    topic {
      topicKey
      exclude
    }
    audience
  }
  payload
  perSecond
  startsAt
  timeZone
  recipientsZone
  rrule
  exceptions
  enabled
  nextRunAt
  lastRunAt
  lastStatus
  lastError
}`),z=new m(`
    query Schedule($id: ID!) {
  triggerSchedule(id: $id) {
    ...ScheduleParts
    events(first: 10) {
      ...BroadcastParts
    }
  }
}
    fragment BroadcastParts on Event {
  id
  internalId
  transactionId
  status
  createdAt
  workflow {
    name
  }
  progress {
    planned
    plannedCapped
    examined
    notified
    sent
    failed
    skipped
    perSecond
    pause {
      internalId
    }
  }
}
fragment ScheduleParts on TriggerSchedule {
  id
  internalId
  name
  workflow {
    identifier
    name
  }
  to {
    subscriberId
    topic {
      topicKey
      exclude
    }
    audience
  }
  payload
  perSecond
  startsAt
  timeZone
  recipientsZone
  rrule
  exceptions
  enabled
  nextRunAt
  lastRunAt
  lastStatus
  lastError
}`),B=new m(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),ae=new m(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),V=new m(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),oe=new m(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),H=new m(`
    mutation RunSchedule($id: ID!) {
  runTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
    result {
      status
      error
    }
  }
}
    `),U=n(r(),1),W=[`MO`,`TU`,`WE`,`TH`,`FR`,`SA`,`SU`],G={DAILY:`daily`,WEEKLY:`weekly`,MONTHLY:`monthly`};function K(e){if(e.kind===`once`)return null;if(e.kind===`rule`)return e.rule.trim();let t=[`FREQ=${e.kind.toUpperCase()}`];return e.interval>1&&t.push(`INTERVAL=${e.interval}`),e.kind===`weekly`&&e.days.length>0&&t.push(`BYDAY=${W.filter(t=>e.days.includes(t)).join(`,`)}`),e.until&&t.push(`UNTIL=${e.until.replaceAll(`-`,``)}`),t.join(`;`)}function se(e){let t={kind:`once`,interval:1,days:[],until:``,rule:e??`FREQ=MONTHLY;BYDAY=1MO`};if(!e)return t;for(let n of e.split(`;`)){let[e,r=``]=n.split(`=`);e===`FREQ`&&r in G&&(t.kind=G[r]),e===`INTERVAL`&&(t.interval=Number(r)),e===`BYDAY`&&(t.days=r.split(`,`)),e===`UNTIL`&&(t.until=r.replace(/^(\d{4})(\d\d)(\d\d)$/,`$1-$2-$3`))}return K(t)===e?t:{...t,kind:`rule`,days:[],interval:1,until:``}}var ce=e=>e.split(/[\s,;]+/).filter(Boolean),q=[`subscriber`,`topic`,`audience`],J={kind:`subscriber`,name:``,except:``},le=e=>e?.map(({subscriberId:e,topic:t,audience:n})=>t?{kind:`topic`,name:t.topicKey,except:(t.exclude??[]).join(` `)}:n?{kind:`audience`,name:n,except:``}:{kind:`subscriber`,name:e??``,except:``}),ue=e=>e?.map(({kind:e,name:t,except:n})=>{if(e===`audience`)return{audience:t};if(e===`subscriber`)return{subscriberId:t};let r=n.split(/\s+/).filter(Boolean);return{topic:{topicKey:t,...r.length>0&&{exclude:r}}}})??null,Y=e=>!e||e.some(e=>e.kind!==`subscriber`),X=i();function de({of:e,onChange:n}){return(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(y,{label:w(`schedule.to`),at:`to`,value:e?`chosen`:`everyone`,onChange:e=>n(e===`chosen`?[J]:void 0),options:[{value:`everyone`,label:w(`recipients.everyone`)},{value:`chosen`,label:w(`recipients.chosen`)}]}),e&&(0,X.jsxs)(`fieldset`,{children:[(0,X.jsx)(`legend`,{children:w(`recipients.chosen`)}),e.map((t,r)=>(0,X.jsx)(Z,{n:r+1,of:t,onChange:i=>n(L(e,r,{...t,...i})),onRemove:e.length>1?()=>n(I(e,r)):void 0},r)),(0,X.jsx)(`div`,{children:(0,X.jsx)(s,{icon:t,onClick:()=>n([...e,J]),children:w(`recipients.add`)})})]})]})}function Z({n:e,of:t,onChange:n,onRemove:r}){return(0,X.jsxs)(`div`,{className:`filters`,role:`group`,"aria-label":w(`recipients.recipientN`,{n:e}),children:[(0,X.jsx)(y,{label:w(`recipients.kindN`,{n:e}),value:t.kind,onChange:e=>n({kind:e}),options:q.map(e=>({value:e,label:w(`recipients.kind.${e}`)}))}),(0,X.jsx)(b,{of:t.kind,label:w(`recipients.recipientN`,{n:e}),at:`to.${e-1}`,value:t.name,onChange:e=>n({name:e}),required:!0}),t.kind===`topic`&&(0,X.jsx)(b,{of:`subscriber`,several:!0,label:w(`recipients.exceptN`,{n:e}),value:t.except,onChange:e=>n({except:e}),placeholder:w(`recipients.exceptHint`)}),r&&(0,X.jsx)(s,{icon:F,"aria-label":w(`recipients.removeN`,{n:e}),onClick:r,children:w(`common.remove`)})]})}function Q(){let e=u(),n=p(R,e.variables),r=f(V,n.reload);return(0,X.jsx)(N,{title:w(`nav.schedules`),actions:(0,X.jsx)(l,{children:(0,X.jsxs)(a,{href:`/schedules/new`,className:`button primary`,children:[(0,X.jsx)(t,{"aria-hidden":!0,className:`icon`}),w(`schedule.new`)]})}),children:(0,X.jsxs)(j,{children:[(0,X.jsx)(E,{error:r.error}),(0,X.jsx)(D,{of:n,children:({triggerSchedules:t})=>(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(A,{label:w(`nav.schedules`),rows:t.nodes,id:e=>e.id,empty:w(`schedule.none`),columns:[{name:w(`common.name`),cell:e=>(0,X.jsx)(a,{href:`/schedules/${e.internalId}`,children:e.name})},{name:w(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:w(`schedule.next`),cell:e=>(0,X.jsx)(k,{at:e.nextRunAt,precise:!0})},{name:w(`schedule.last`),cell:e=>(0,X.jsx)(fe,{of:e})},{name:w(`schedule.enabled`),cell:e=>(0,X.jsx)(h,{label:`${w(`schedule.enabled`)}: ${e.name}`,on:e.enabled,busy:r.busy,onChange:t=>r.run({input:{id:e.id,enabled:t}})})}]}),(0,X.jsx)(O,{label:w(`nav.schedules`),pager:e,info:t.pageInfo})]})})]})})}function fe({of:e}){return e.lastRunAt?(0,X.jsxs)(`span`,{className:`row`,children:[(0,X.jsx)(k,{at:e.lastRunAt}),e.lastStatus&&(0,X.jsx)(M,{tone:e.lastStatus===`PROCESSED`?`good`:`bad`,children:e.lastError??o(e.lastStatus)})]}):`–`}function pe(){return(0,X.jsx)($,{})}function me({id:e}){let t=p(z,{id:e});return(0,X.jsx)(D,{of:t,title:w(`word.SCHEDULE`),children:({triggerSchedule:e})=>(0,X.jsx)($,{of:e,reload:t.reload})})}function $({of:t,reload:n}){let[,r]=ee(),[i,a]=(0,U.useState)(t?.name??``),[o,c]=(0,U.useState)(t?.workflow?.identifier??``),[u,p]=(0,U.useState)(()=>le(t?.to)),[m,h]=(0,U.useState)(t?.payload??{}),[y,C]=(0,U.useState)(t?.perSecond??void 0),[T,D]=(0,U.useState)(t?.startsAt??``),[O,k]=(0,U.useState)(t?.timeZone??Intl.DateTimeFormat().resolvedOptions().timeZone),[A,M]=(0,U.useState)(t?.recipientsZone??!1),[F,I]=(0,U.useState)(()=>se(t?.rrule)),[L,R]=(0,U.useState)((t?.exceptions??[]).join(` `)),z={startsAt:T,timeZone:O,recipientsZone:A,rrule:K(F),exceptions:ce(L)},B=re({name:i,workflow:o,to:u,payload:m,perSecond:y,when:z}),W=f(ae,e=>{x(),r(`/schedules/${e.createTriggerSchedule.triggerSchedule.internalId}`)},d),G=f(V,()=>{B.keep(),n?.()}),q=f(oe,()=>{x(),r(`/schedules`)}),J=f(H,()=>n?.(),d),Z=()=>{let e={payload:m,to:ue(u),perSecond:Y(u)&&y||null};t?G.run({input:{id:t.id,name:i,...e,...z}}):W.run({input:{name:i,workflow:o,...e,...z}})},Q=t?G:W;return(0,X.jsxs)(N,{title:t?.name??w(`schedule.new`),actions:t&&(0,X.jsxs)(l,{children:[(0,X.jsx)(s,{icon:e,disabled:J.busy,onClick:()=>J.run({id:t.id}),children:w(`schedule.run`)}),(0,X.jsx)(te,{label:w(`common.delete`),question:w(`schedule.deleteQuestion`),busy:q.busy,onConfirm:()=>q.run({id:t.id})})]}),children:[(0,X.jsx)(E,{error:q.error??J.error}),(0,X.jsxs)(`div`,{className:`cols`,children:[(0,X.jsx)(j,{title:w(`word.SCHEDULE`),children:(0,X.jsxs)(ne,{submit:w(`common.save`),action:Q,onSubmit:Z,children:[(0,X.jsx)(g,{label:w(`common.name`),at:`name`,value:i,onChange:a,required:!0}),(0,X.jsx)(b,{of:`workflow`,label:w(`common.workflow`),at:`workflow`,value:o,onChange:c,readOnly:!!t,required:!0}),(0,X.jsx)(de,{of:u,onChange:p}),(0,X.jsx)(S,{workflow:o,payload:m,onChange:h}),Y(u)&&(0,X.jsx)(v,{label:w(`repair.perSecond`),hint:w(`broadcast.paceHint`),at:`perSecond`,value:y,onChange:C}),(0,X.jsx)(g,{label:w(`schedule.startsAt`),at:`startsAt`,type:`datetime-local`,value:T,onChange:D,required:!0}),(0,X.jsx)(g,{label:w(`schedule.zone`),at:`timeZone`,value:O,onChange:k,required:!0}),(0,X.jsx)(_,{label:w(`schedule.recipientsZone`),at:`recipientsZone`,value:A,onChange:M}),(0,X.jsx)(he,{of:F,onChange:I}),(0,X.jsx)(g,{label:w(`schedule.exceptions`),hint:w(`schedule.exceptionsHint`),at:`exceptions`,value:L,onChange:R}),(0,X.jsx)(ie,{children:B.saved&&w(`common.saved`)})]})}),T&&(0,X.jsx)(ge,{of:z})]}),t&&t.events.length>0&&(0,X.jsx)(j,{title:w(`schedule.events`),children:(0,X.jsx)(P,{of:t.events,done:()=>n?.()})})]})}function he({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(y,{label:w(`schedule.repeat`),at:`rrule`,value:e.kind,onChange:e=>n({kind:e}),options:[`once`,`daily`,`weekly`,`monthly`,`rule`].map(e=>({value:e,label:w(`schedule.repeat.${e}`)}))}),e.kind===`rule`&&(0,X.jsx)(g,{label:w(`schedule.rule`),hint:w(`schedule.ruleHint`),value:e.rule,onChange:e=>n({rule:e}),required:!0}),e.kind===`weekly`&&(0,X.jsx)(`div`,{className:`row`,children:W.map(t=>(0,X.jsx)(_,{label:w(`schedule.day.${t}`),value:e.days.includes(t),onChange:r=>n({days:r?[...e.days,t]:e.days.filter(e=>e!==t)})},t))}),e.kind!==`once`&&e.kind!==`rule`&&(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(v,{label:w(`schedule.interval`),hint:w(`schedule.intervalHint`),value:e.interval,onChange:e=>n({interval:e??1})}),(0,X.jsx)(g,{label:w(`schedule.until`),type:`date`,value:e.until,onChange:e=>n({until:e})})]})]})}function ge({of:e}){let t=c(C(JSON.stringify(e))),n=p(B,{input:t});return(0,X.jsx)(j,{title:w(`schedule.nextRuns`),children:(0,X.jsx)(D,{of:n,children:({triggerSchedulePreview:{runs:e}})=>e.length===0?(0,X.jsx)(`p`,{children:w(`schedule.noRuns`)}):(0,X.jsx)(`ol`,{children:e.map(e=>(0,X.jsx)(`li`,{children:T(Date.parse(e),t.timeZone??`UTC`,document.documentElement.lang||void 0)},e))})})})}export{pe as NewSchedule,me as SchedulePage,Q as Schedules};