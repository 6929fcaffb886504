import{t as e}from"./play-Bo7RJs-o.js";import{t}from"./plus-BWdIi_4J.js";import{N as n,R as r,S as i,i as ee,t as a,tt as o,v as s}from"./button-mtieWiV4.js";import{r as c}from"./address-DxrFKo9f.js";import{c as l,f as u,m as d,s as f,t as p}from"./document-G1tJNlO7.js";import{a as m,r as h}from"./edited-C5NcLlEU.js";import{c as g,i as te,l as _,n as v,o as y,s as b}from"./form-3bj1MtCR.js";import{t as x}from"./identifier-field-57tElh2A.js";import{n as S}from"./marks-Bs-tqbgL.js";import{t as C}from"./fields-Bqy3UgMK.js";import{t as w}from"./settled-dJsPCCLj.js";import{c as T}from"./text-uvC5nAga.js";import{r as E}from"./time-D8_SN1N-.js";import{a as D,c as O,d as k,g as A,m as j,n as M,p as ne,t as N,u as P}from"./ui-mwJxSQvN.js";import{n as F}from"./broadcasts-4WZ0WuIW.js";import{t as I}from"./trash-DACjEftR.js";import{l as L,u as re}from"./lists-CpmF0fzc.js";import{t as ie}from"./jsx-runtime-DyZJNswf.js";var ae=new p(`
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
}`),R=new p(`
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
}`),oe=new p(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),z=new p(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),B=new p(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),V=new p(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),H=new p(`
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
    `),U=[`MO`,`TU`,`WE`,`TH`,`FR`,`SA`,`SU`],W={DAILY:`daily`,WEEKLY:`weekly`,MONTHLY:`monthly`};function G(e){if(e.kind===`once`)return null;if(e.kind===`rule`)return e.rule.trim();let t=[`FREQ=${e.kind.toUpperCase()}`];return e.interval>1&&t.push(`INTERVAL=${e.interval}`),e.kind===`weekly`&&e.days.length>0&&t.push(`BYDAY=${U.filter(t=>e.days.includes(t)).join(`,`)}`),e.until&&t.push(`UNTIL=${e.until.replaceAll(`-`,``)}`),t.join(`;`)}function K(e){let t={kind:`once`,interval:1,days:[],until:``,rule:e??`FREQ=MONTHLY;BYDAY=1MO`};if(!e)return t;for(let n of e.split(`;`)){let[e,r=``]=n.split(`=`);e===`FREQ`&&r in W&&(t.kind=W[r]),e===`INTERVAL`&&(t.interval=Number(r)),e===`BYDAY`&&(t.days=r.split(`,`)),e===`UNTIL`&&(t.until=r.replace(/^(\d{4})(\d\d)(\d\d)$/,`$1-$2-$3`))}return G(t)===e?t:{...t,kind:`rule`,days:[],interval:1,until:``}}var se=e=>e.split(/[\s,;]+/).filter(Boolean),ce=[`subscriber`,`topic`,`audience`],q={kind:`subscriber`,name:``,except:``},le=e=>e?.map(({subscriberId:e,topic:t,audience:n})=>t?{kind:`topic`,name:t.topicKey,except:(t.exclude??[]).join(` `)}:n?{kind:`audience`,name:n,except:``}:{kind:`subscriber`,name:e??``,except:``}),ue=e=>e?.map(({kind:e,name:t,except:n})=>{if(e===`audience`)return{audience:t};if(e===`subscriber`)return{subscriberId:t};let r=n.split(/\s+/).filter(Boolean);return{topic:{topicKey:t,...r.length>0&&{exclude:r}}}})??null,J=e=>!e||e.some(e=>e.kind!==`subscriber`),Y=ie();function X({of:e,onChange:n}){return(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(b,{label:T(`schedule.to`),at:`to`,value:e?`chosen`:`everyone`,onChange:e=>n(e===`chosen`?[q]:void 0),options:[{value:`everyone`,label:T(`recipients.everyone`)},{value:`chosen`,label:T(`recipients.chosen`)}]}),e&&(0,Y.jsxs)(`fieldset`,{children:[(0,Y.jsx)(`legend`,{children:T(`recipients.chosen`)}),e.map((t,r)=>(0,Y.jsx)(de,{n:r+1,of:t,onChange:i=>n(re(e,r,{...t,...i})),onRemove:e.length>1?()=>n(L(e,r)):void 0},r)),(0,Y.jsx)(`div`,{children:(0,Y.jsx)(a,{icon:t,onClick:()=>n([...e,q]),children:T(`recipients.add`)})})]})]})}function de({n:e,of:t,onChange:n,onRemove:r}){return(0,Y.jsxs)(`div`,{className:`filters`,role:`group`,"aria-label":T(`recipients.recipientN`,{n:e}),children:[(0,Y.jsx)(b,{label:T(`recipients.kindN`,{n:e}),value:t.kind,onChange:e=>n({kind:e}),options:ce.map(e=>({value:e,label:T(`recipients.kind.${e}`)}))}),(0,Y.jsx)(x,{of:t.kind,label:T(`recipients.recipientN`,{n:e}),at:`to.${e-1}`,value:t.name,onChange:e=>n({name:e}),required:!0}),t.kind===`topic`&&(0,Y.jsx)(x,{of:`subscriber`,several:!0,label:T(`recipients.exceptN`,{n:e}),value:t.except,onChange:e=>n({except:e}),placeholder:T(`recipients.exceptHint`)}),r&&(0,Y.jsx)(a,{icon:I,"aria-label":T(`recipients.removeN`,{n:e}),onClick:r,children:T(`common.remove`)})]})}function fe(){let e=c(),r=d(ae,e.variables),i=u(B,r.reload);return(0,Y.jsx)(P,{title:T(`nav.schedules`),actions:(0,Y.jsx)(s,{children:(0,Y.jsxs)(n,{href:`/schedules/new`,className:`button primary`,children:[(0,Y.jsx)(t,{"aria-hidden":!0,className:`icon`}),T(`schedule.new`)]})}),children:(0,Y.jsxs)(M,{children:[(0,Y.jsx)(D,{error:i.error}),(0,Y.jsx)(O,{of:r,children:({triggerSchedules:t})=>(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(j,{label:T(`nav.schedules`),rows:t.nodes,id:e=>e.id,empty:T(`schedule.none`),columns:[{name:T(`common.name`),cell:e=>(0,Y.jsx)(n,{href:`/schedules/${e.internalId}`,children:e.name})},{name:T(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:T(`schedule.next`),cell:e=>(0,Y.jsx)(A,{at:e.nextRunAt,precise:!0})},{name:T(`schedule.last`),cell:e=>(0,Y.jsx)(pe,{of:e})},{name:T(`schedule.enabled`),cell:e=>(0,Y.jsx)(g,{label:`${T(`schedule.enabled`)}: ${e.name}`,on:e.enabled,busy:i.busy,onChange:t=>i.run({input:{id:e.id,enabled:t}})})}]}),(0,Y.jsx)(k,{label:T(`nav.schedules`),pager:e,info:t.pageInfo})]})})]})})}function pe({of:e}){return e.lastRunAt?(0,Y.jsxs)(`span`,{className:`row`,children:[(0,Y.jsx)(A,{at:e.lastRunAt}),e.lastStatus&&(0,Y.jsx)(N,{tone:e.lastStatus===`PROCESSED`?`good`:`bad`,children:e.lastError??i(e.lastStatus)})]}):`–`}function me(){return(0,Y.jsx)($,{})}function he({id:e}){let t=d(R,{id:e});return(0,Y.jsx)(O,{of:t,title:T(`word.SCHEDULE`),children:({triggerSchedule:e})=>(0,Y.jsx)($,{of:e,reload:t.reload})})}var ge=e=>({name:e?.name??``,workflow:e?.workflow?.identifier??``,to:le(e?.to),payload:e?.payload??{},perSecond:e?.perSecond??void 0,startsAt:e?.startsAt??``,timeZone:e?.timeZone??Intl.DateTimeFormat().resolvedOptions().timeZone,recipientsZone:e?.recipientsZone??!1,rrule:K(e?.rrule),exceptions:(e?.exceptions??[]).join(` `)}),Z=e=>({startsAt:e.startsAt,timeZone:e.timeZone,recipientsZone:e.recipientsZone,rrule:G(e.rrule),exceptions:se(e.exceptions)}),Q=e=>({name:e.name,payload:e.payload,to:ue(e.to),perSecond:J(e.to)&&e.perSecond||null,...Z(e)});function $({of:t,reload:n}){let[,i]=r(),o=m({of:t,valuesOf:ge,read:async()=>t&&(await f(R,{id:t.id})).triggerSchedule,send:async(e,n)=>{let r=Object.keys(e);return`to`in e&&r.push(`perSecond`),t&&f(B,{input:{id:t.id,...h(Q(n),r)}})},onSaved:()=>n?.()}),{workflow:c,...d}=o.values,{name:p,to:g,payload:b,perSecond:w,startsAt:E,timeZone:O,recipientsZone:k,rrule:A,exceptions:j}=d,N=u(z,e=>{S(),i(`/schedules/${e.createTriggerSchedule.triggerSchedule.internalId}`)},l),I=u(V,()=>{S(),i(`/schedules`)}),L=u(H,()=>n?.(),l);return(0,Y.jsxs)(P,{title:t?.name??T(`schedule.new`),actions:t&&(0,Y.jsxs)(s,{children:[(0,Y.jsx)(a,{icon:e,disabled:L.busy,onClick:()=>L.run({id:t.id}),children:T(`schedule.run`)}),(0,Y.jsx)(ee,{label:T(`common.delete`),question:T(`schedule.deleteQuestion`),busy:I.busy,onConfirm:()=>I.run({id:t.id})})]}),children:[(0,Y.jsx)(D,{error:I.error??L.error}),(0,Y.jsxs)(`div`,{className:`cols`,children:[(0,Y.jsx)(M,{title:T(`word.SCHEDULE`),children:(0,Y.jsxs)(te,{submit:T(`common.save`),action:t?o:N,onSubmit:t?o.save:()=>N.run({input:{workflow:c,...Q(d)}}),children:[(0,Y.jsx)(_,{label:T(`common.name`),at:`name`,value:p,onChange:e=>o.set({name:e}),required:!0}),(0,Y.jsx)(x,{of:`workflow`,label:T(`common.workflow`),at:`workflow`,value:c,onChange:e=>o.set({workflow:e}),readOnly:!!t,required:!0}),(0,Y.jsx)(X,{of:g,onChange:e=>o.set({to:e})}),(0,Y.jsx)(C,{workflow:c,payload:b,onChange:e=>o.set({payload:e})}),J(g)&&(0,Y.jsx)(y,{label:T(`repair.perSecond`),hint:T(`broadcast.paceHint`),at:`perSecond`,value:w,onChange:e=>o.set({perSecond:e})}),(0,Y.jsx)(_,{label:T(`schedule.startsAt`),at:`startsAt`,type:`datetime-local`,value:E,onChange:e=>o.set({startsAt:e}),required:!0}),(0,Y.jsx)(_,{label:T(`schedule.zone`),at:`timeZone`,value:O,onChange:e=>o.set({timeZone:e}),required:!0}),(0,Y.jsx)(v,{label:T(`schedule.recipientsZone`),at:`recipientsZone`,value:k,onChange:e=>o.set({recipientsZone:e})}),(0,Y.jsx)(_e,{of:A,onChange:e=>o.set({rrule:e})}),(0,Y.jsx)(_,{label:T(`schedule.exceptions`),hint:T(`schedule.exceptionsHint`),at:`exceptions`,value:j,onChange:e=>o.set({exceptions:e})}),(0,Y.jsx)(ne,{children:o.saved&&T(`common.saved`)})]})}),E&&(0,Y.jsx)(ve,{of:Z(d)})]}),t&&t.events.length>0&&(0,Y.jsx)(M,{title:T(`schedule.events`),children:(0,Y.jsx)(F,{of:t.events,done:()=>n?.()})})]})}function _e({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(b,{label:T(`schedule.repeat`),at:`rrule`,value:e.kind,onChange:e=>n({kind:e}),options:[`once`,`daily`,`weekly`,`monthly`,`rule`].map(e=>({value:e,label:T(`schedule.repeat.${e}`)}))}),e.kind===`rule`&&(0,Y.jsx)(_,{label:T(`schedule.rule`),hint:T(`schedule.ruleHint`),value:e.rule,onChange:e=>n({rule:e}),required:!0}),e.kind===`weekly`&&(0,Y.jsx)(`div`,{className:`row`,children:U.map(t=>(0,Y.jsx)(v,{label:T(`schedule.day.${t}`),value:e.days.includes(t),onChange:r=>n({days:r?[...e.days,t]:e.days.filter(e=>e!==t)})},t))}),e.kind!==`once`&&e.kind!==`rule`&&(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(y,{label:T(`schedule.interval`),hint:T(`schedule.intervalHint`),value:e.interval,onChange:e=>n({interval:e??1})}),(0,Y.jsx)(_,{label:T(`schedule.until`),type:`date`,value:e.until,onChange:e=>n({until:e})})]})]})}function ve({of:e}){let t=o(w(JSON.stringify(e))),n=d(oe,{input:t});return(0,Y.jsx)(M,{title:T(`schedule.nextRuns`),children:(0,Y.jsx)(O,{of:n,children:({triggerSchedulePreview:{runs:e}})=>e.length===0?(0,Y.jsx)(`p`,{children:T(`schedule.noRuns`)}):(0,Y.jsx)(`ol`,{children:e.map(e=>(0,Y.jsx)(`li`,{children:E(Date.parse(e),t.timeZone??`UTC`,document.documentElement.lang||void 0)},e))})})})}export{me as NewSchedule,he as SchedulePage,fe as Schedules};