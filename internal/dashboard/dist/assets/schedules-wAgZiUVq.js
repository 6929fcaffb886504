import{t as e}from"./play-1unqpbYm.js";import{t}from"./plus-TwwWyVs2.js";import{N as n,R as r,S as i,i as a,t as o,tt as s,v as c}from"./button-Dgb5THJ5.js";import{r as l}from"./address-NG03ewlH.js";import{d as u,f as d,m as f,s as p,t as m}from"./document-dlEMawag.js";import{a as h,r as ee}from"./edited-D4mEspNB.js";import{c as g,i as te,l as _,n as v,o as y,s as b}from"./form-DrW5btIS.js";import{t as x}from"./identifier-field-C1ZnZjLe.js";import{n as S}from"./marks-Bs-tqbgL.js";import{t as C}from"./fields-3qjSPSIa.js";import{t as w}from"./settled-dJsPCCLj.js";import{c as T}from"./text-Dt6ehE6o.js";import{r as E}from"./time-DvGTIypY.js";import{a as D,c as O,d as k,g as A,m as j,n as M,p as ne,t as N,u as P}from"./ui-CoQ-QTUx.js";import{n as F}from"./broadcasts-BE9UkQse.js";import{t as I}from"./trash-erETvyGD.js";import{l as L,u as re}from"./lists-CpmF0fzc.js";import{t as R}from"./jsx-runtime-DyZJNswf.js";var ie=new m(`
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
}`),ae=new m(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),B=new m(`
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
    `),H=new m(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),U=new m(`
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
    `),W=[`MO`,`TU`,`WE`,`TH`,`FR`,`SA`,`SU`],G={DAILY:`daily`,WEEKLY:`weekly`,MONTHLY:`monthly`};function K(e){if(e.kind===`once`)return null;if(e.kind===`rule`)return e.rule.trim();let t=[`FREQ=${e.kind.toUpperCase()}`];return e.interval>1&&t.push(`INTERVAL=${e.interval}`),e.kind===`weekly`&&e.days.length>0&&t.push(`BYDAY=${W.filter(t=>e.days.includes(t)).join(`,`)}`),e.until&&t.push(`UNTIL=${e.until.replaceAll(`-`,``)}`),t.join(`;`)}function q(e){let t={kind:`once`,interval:1,days:[],until:``,rule:e??`FREQ=MONTHLY;BYDAY=1MO`};if(!e)return t;for(let n of e.split(`;`)){let[e,r=``]=n.split(`=`);e===`FREQ`&&r in G&&(t.kind=G[r]),e===`INTERVAL`&&(t.interval=Number(r)),e===`BYDAY`&&(t.days=r.split(`,`)),e===`UNTIL`&&(t.until=r.replace(/^(\d{4})(\d\d)(\d\d)$/,`$1-$2-$3`))}return K(t)===e?t:{...t,kind:`rule`,days:[],interval:1,until:``}}var oe=e=>e.split(/[\s,;]+/).filter(Boolean),se=[`subscriber`,`topic`,`audience`],J={kind:`subscriber`,name:``,except:``},ce=e=>e?.map(({subscriberId:e,topic:t,audience:n})=>t?{kind:`topic`,name:t.topicKey,except:(t.exclude??[]).join(` `)}:n?{kind:`audience`,name:n,except:``}:{kind:`subscriber`,name:e??``,except:``}),le=e=>e?.map(({kind:e,name:t,except:n})=>{if(e===`audience`)return{audience:t};if(e===`subscriber`)return{subscriberId:t};let r=n.split(/\s+/).filter(Boolean);return{topic:{topicKey:t,...r.length>0&&{exclude:r}}}})??null,Y=e=>!e||e.some(e=>e.kind!==`subscriber`),X=R();function ue({of:e,onChange:n}){return(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(b,{label:T(`schedule.to`),at:`to`,value:e?`chosen`:`everyone`,onChange:e=>n(e===`chosen`?[J]:void 0),options:[{value:`everyone`,label:T(`recipients.everyone`)},{value:`chosen`,label:T(`recipients.chosen`)}]}),e&&(0,X.jsxs)(`fieldset`,{children:[(0,X.jsx)(`legend`,{children:T(`recipients.chosen`)}),e.map((t,r)=>(0,X.jsx)(de,{n:r+1,of:t,onChange:i=>n(re(e,r,{...t,...i})),onRemove:e.length>1?()=>n(L(e,r)):void 0},r)),(0,X.jsx)(`div`,{children:(0,X.jsx)(o,{icon:t,onClick:()=>n([...e,J]),children:T(`recipients.add`)})})]})]})}function de({n:e,of:t,onChange:n,onRemove:r}){return(0,X.jsxs)(`div`,{className:`filters`,role:`group`,"aria-label":T(`recipients.recipientN`,{n:e}),children:[(0,X.jsx)(b,{label:T(`recipients.kindN`,{n:e}),value:t.kind,onChange:e=>n({kind:e}),options:se.map(e=>({value:e,label:T(`recipients.kind.${e}`)}))}),(0,X.jsx)(x,{of:t.kind,label:T(`recipients.recipientN`,{n:e}),at:`to.${e-1}`,value:t.name,onChange:e=>n({name:e}),required:!0}),t.kind===`topic`&&(0,X.jsx)(x,{of:`subscriber`,several:!0,label:T(`recipients.exceptN`,{n:e}),value:t.except,onChange:e=>n({except:e}),placeholder:T(`recipients.exceptHint`)}),r&&(0,X.jsx)(o,{icon:I,"aria-label":T(`recipients.removeN`,{n:e}),onClick:r,children:T(`common.remove`)})]})}function fe(){let e=l(),r=f(ie,e.variables),i=u(V,r.reload);return(0,X.jsx)(P,{title:T(`nav.schedules`),actions:(0,X.jsx)(c,{children:(0,X.jsxs)(n,{href:`/schedules/new`,className:`button primary`,children:[(0,X.jsx)(t,{"aria-hidden":!0,className:`icon`}),T(`schedule.new`)]})}),children:(0,X.jsxs)(M,{children:[(0,X.jsx)(D,{error:i.error}),(0,X.jsx)(O,{of:r,children:({triggerSchedules:t})=>(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(j,{label:T(`nav.schedules`),rows:t.nodes,id:e=>e.id,empty:T(`schedule.none`),columns:[{name:T(`common.name`),cell:e=>(0,X.jsx)(n,{href:`/schedules/${e.internalId}`,children:e.name})},{name:T(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:T(`schedule.next`),cell:e=>(0,X.jsx)(A,{at:e.nextRunAt,precise:!0})},{name:T(`schedule.last`),cell:e=>(0,X.jsx)(pe,{of:e})},{name:T(`schedule.enabled`),cell:e=>(0,X.jsx)(g,{label:`${T(`schedule.enabled`)}: ${e.name}`,on:e.enabled,busy:i.busy,onChange:t=>i.run({input:{id:e.id,enabled:t}})})}]}),(0,X.jsx)(k,{label:T(`nav.schedules`),pager:e,info:t.pageInfo})]})})]})})}function pe({of:e}){return e.lastRunAt?(0,X.jsxs)(`span`,{className:`row`,children:[(0,X.jsx)(A,{at:e.lastRunAt}),e.lastStatus&&(0,X.jsx)(N,{tone:e.lastStatus===`PROCESSED`?`good`:`bad`,children:e.lastError??i(e.lastStatus)})]}):`–`}function me(){return(0,X.jsx)($,{})}function he({id:e}){let t=f(z,{id:e});return(0,X.jsx)(O,{of:t,title:T(`word.SCHEDULE`),children:({triggerSchedule:e})=>(0,X.jsx)($,{of:e,reload:t.reload})})}var ge=e=>({name:e?.name??``,workflow:e?.workflow?.identifier??``,to:ce(e?.to),payload:e?.payload??{},perSecond:e?.perSecond??void 0,startsAt:e?.startsAt??``,timeZone:e?.timeZone??Intl.DateTimeFormat().resolvedOptions().timeZone,recipientsZone:e?.recipientsZone??!1,rrule:q(e?.rrule),exceptions:(e?.exceptions??[]).join(` `)}),Z=e=>({startsAt:e.startsAt,timeZone:e.timeZone,recipientsZone:e.recipientsZone,rrule:K(e.rrule),exceptions:oe(e.exceptions)}),Q=e=>({name:e.name,payload:e.payload,to:le(e.to),perSecond:Y(e.to)&&e.perSecond||null,...Z(e)});function $({of:t,reload:n}){let[,i]=r(),s=h({of:t,valuesOf:ge,read:async()=>t&&(await p(z,{id:t.id})).triggerSchedule,send:async(e,n)=>{let r=Object.keys(e);return`to`in e&&r.push(`perSecond`),t&&p(V,{input:{id:t.id,...ee(Q(n),r)}})},onSaved:()=>n?.()}),{workflow:l,...f}=s.values,{name:m,to:g,payload:b,perSecond:w,startsAt:E,timeZone:O,recipientsZone:k,rrule:A,exceptions:j}=f,N=d(B,e=>{S(),i(`/schedules/${e.createTriggerSchedule.triggerSchedule.internalId}`)}),I=u(H,()=>{S(),i(`/schedules`)}),L=d(U,()=>n?.());return(0,X.jsxs)(P,{title:t?.name??T(`schedule.new`),actions:t&&(0,X.jsxs)(c,{children:[(0,X.jsx)(o,{icon:e,disabled:L.busy,onClick:()=>L.run({id:t.id}),children:T(`schedule.run`)}),(0,X.jsx)(a,{label:T(`common.delete`),question:T(`schedule.deleteQuestion`),busy:I.busy,onConfirm:()=>I.run({id:t.id})})]}),children:[(0,X.jsx)(D,{error:I.error??L.error}),(0,X.jsxs)(`div`,{className:`cols`,children:[(0,X.jsx)(M,{title:T(`word.SCHEDULE`),children:(0,X.jsxs)(te,{submit:T(`common.save`),action:t?s:N,onSubmit:t?s.save:()=>N.run({input:{workflow:l,...Q(f)}}),children:[(0,X.jsx)(_,{label:T(`common.name`),at:`name`,value:m,onChange:e=>s.set({name:e}),required:!0}),(0,X.jsx)(x,{of:`workflow`,label:T(`common.workflow`),at:`workflow`,value:l,onChange:e=>s.set({workflow:e}),readOnly:!!t,required:!0}),(0,X.jsx)(ue,{of:g,onChange:e=>s.set({to:e})}),(0,X.jsx)(C,{workflow:l,payload:b,onChange:e=>s.set({payload:e})}),Y(g)&&(0,X.jsx)(y,{label:T(`repair.perSecond`),hint:T(`broadcast.paceHint`),at:`perSecond`,value:w,onChange:e=>s.set({perSecond:e})}),(0,X.jsx)(_,{label:T(`schedule.startsAt`),at:`startsAt`,type:`datetime-local`,value:E,onChange:e=>s.set({startsAt:e}),required:!0}),(0,X.jsx)(_,{label:T(`schedule.zone`),at:`timeZone`,value:O,onChange:e=>s.set({timeZone:e}),required:!0}),(0,X.jsx)(v,{label:T(`schedule.recipientsZone`),at:`recipientsZone`,value:k,onChange:e=>s.set({recipientsZone:e})}),(0,X.jsx)(_e,{of:A,onChange:e=>s.set({rrule:e})}),(0,X.jsx)(_,{label:T(`schedule.exceptions`),hint:T(`schedule.exceptionsHint`),at:`exceptions`,value:j,onChange:e=>s.set({exceptions:e})}),(0,X.jsx)(ne,{children:s.saved&&T(`common.saved`)})]})}),E&&(0,X.jsx)(ve,{of:Z(f)})]}),t&&t.events.length>0&&(0,X.jsx)(M,{title:T(`schedule.events`),children:(0,X.jsx)(F,{of:t.events,done:()=>n?.()})})]})}function _e({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(b,{label:T(`schedule.repeat`),at:`rrule`,value:e.kind,onChange:e=>n({kind:e}),options:[`once`,`daily`,`weekly`,`monthly`,`rule`].map(e=>({value:e,label:T(`schedule.repeat.${e}`)}))}),e.kind===`rule`&&(0,X.jsx)(_,{label:T(`schedule.rule`),hint:T(`schedule.ruleHint`),value:e.rule,onChange:e=>n({rule:e}),required:!0}),e.kind===`weekly`&&(0,X.jsx)(`div`,{className:`row`,children:W.map(t=>(0,X.jsx)(v,{label:T(`schedule.day.${t}`),value:e.days.includes(t),onChange:r=>n({days:r?[...e.days,t]:e.days.filter(e=>e!==t)})},t))}),e.kind!==`once`&&e.kind!==`rule`&&(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(y,{label:T(`schedule.interval`),hint:T(`schedule.intervalHint`),value:e.interval,onChange:e=>n({interval:e??1})}),(0,X.jsx)(_,{label:T(`schedule.until`),type:`date`,value:e.until,onChange:e=>n({until:e})})]})]})}function ve({of:e}){let t=s(w(JSON.stringify(e))),n=f(ae,{input:t});return(0,X.jsx)(M,{title:T(`schedule.nextRuns`),children:(0,X.jsx)(O,{of:n,children:({triggerSchedulePreview:{runs:e}})=>e.length===0?(0,X.jsx)(`p`,{children:T(`schedule.noRuns`)}):(0,X.jsx)(`ol`,{children:e.map(e=>(0,X.jsx)(`li`,{children:E(Date.parse(e),t.timeZone??`UTC`,document.documentElement.lang||void 0)},e))})})})}export{me as NewSchedule,he as SchedulePage,fe as Schedules};