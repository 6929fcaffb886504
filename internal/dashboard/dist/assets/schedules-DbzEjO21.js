import{t as e}from"./play-C8HdsP6b.js";import{t}from"./plus-BcR5Copq.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{A as a,F as ee,Q as o,_ as s,i as te,t as c}from"./button-C2jgqasV.js";import{r as l}from"./address-CuHLyZnn.js";import{f as u,s as d,t as f,u as p}from"./document-DB1uREhl.js";import{c as m,i as h,l as g,n as _,o as v,s as y}from"./form-DCMhYeF4.js";import{n as ne,t as re}from"./fields-hvYp47Fw.js";import{t as b}from"./settled-dJsPCCLj.js";import{c as x}from"./text-DqNWG3dt.js";import{r as S}from"./time-D8_SN1N-.js";import{a as C,c as w,d as T,g as E,m as D,n as O,p as ie,t as k,u as A}from"./ui-roPAMa49.js";import{t as j}from"./words-w0JacNS_.js";import{n as ae}from"./broadcasts-C4YPRlgq.js";import{t as M}from"./trash-CR9Smsq_.js";import{c as N,l as P}from"./lists-DVkFUpFN.js";var F=new f(`
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
}`),I=new f(`
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
}`),L=new f(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),R=new f(`
    mutation CreateSchedule($input: CreateTriggerScheduleInput!) {
  createTriggerSchedule(input: $input) {
    triggerSchedule {
      id
      internalId
    }
  }
}
    `),z=new f(`
    mutation UpdateSchedule($input: UpdateTriggerScheduleInput!) {
  updateTriggerSchedule(input: $input) {
    triggerSchedule {
      id
    }
  }
}
    `),oe=new f(`
    mutation DeleteSchedule($id: ID!) {
  deleteTriggerSchedule(id: $id) {
    triggerSchedule {
      id
    }
  }
}
    `),B=new f(`
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
    `),V=new f(`
    query RecipientChoices {
  subscribers(first: 100) {
    nodes {
      subscriberId
    }
  }
  topics(first: 100) {
    nodes {
      key
    }
  }
  audiences(first: 100) {
    nodes {
      identifier
    }
  }
}
    `),H=n(r(),1),U=[`MO`,`TU`,`WE`,`TH`,`FR`,`SA`,`SU`],W={DAILY:`daily`,WEEKLY:`weekly`,MONTHLY:`monthly`};function G(e){if(e.kind===`once`)return null;if(e.kind===`rule`)return e.rule.trim();let t=[`FREQ=${e.kind.toUpperCase()}`];return e.interval>1&&t.push(`INTERVAL=${e.interval}`),e.kind===`weekly`&&e.days.length>0&&t.push(`BYDAY=${U.filter(t=>e.days.includes(t)).join(`,`)}`),e.until&&t.push(`UNTIL=${e.until.replaceAll(`-`,``)}`),t.join(`;`)}function K(e){let t={kind:`once`,interval:1,days:[],until:``,rule:e??`FREQ=MONTHLY;BYDAY=1MO`};if(!e)return t;for(let n of e.split(`;`)){let[e,r=``]=n.split(`=`);e===`FREQ`&&r in W&&(t.kind=W[r]),e===`INTERVAL`&&(t.interval=Number(r)),e===`BYDAY`&&(t.days=r.split(`,`)),e===`UNTIL`&&(t.until=r.replace(/^(\d{4})(\d\d)(\d\d)$/,`$1-$2-$3`))}return G(t)===e?t:{...t,kind:`rule`,days:[],interval:1,until:``}}var se=e=>e.split(/[\s,;]+/).filter(Boolean),q=[`subscriber`,`topic`,`audience`],J={kind:`subscriber`,name:``,except:``},ce=e=>e?.map(({subscriberId:e,topic:t,audience:n})=>t?{kind:`topic`,name:t.topicKey,except:(t.exclude??[]).join(` `)}:n?{kind:`audience`,name:n,except:``}:{kind:`subscriber`,name:e??``,except:``}),le=e=>e?.map(({kind:e,name:t,except:n})=>{if(e===`audience`)return{audience:t};if(e===`subscriber`)return{subscriberId:t};let r=n.split(/\s+/).filter(Boolean);return{topic:{topicKey:t,...r.length>0&&{exclude:r}}}})??null,Y=e=>!e||e.some(e=>e.kind!==`subscriber`),X=i();function ue({of:e,onChange:n}){let{data:r}=u(V,{}),i={subscriber:r?.subscribers.nodes.map(e=>e.subscriberId),topic:r?.topics.nodes.map(e=>e.key),audience:r?.audiences.nodes.map(e=>e.identifier)};return(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(y,{label:x(`schedule.to`),at:`to`,value:e?`chosen`:`everyone`,onChange:e=>n(e===`chosen`?[J]:void 0),options:[{value:`everyone`,label:x(`recipients.everyone`)},{value:`chosen`,label:x(`recipients.chosen`)}]}),e&&(0,X.jsxs)(`fieldset`,{children:[(0,X.jsx)(`legend`,{children:x(`recipients.chosen`)}),e.map((t,r)=>(0,X.jsx)(Z,{n:r+1,of:t,choices:i,onChange:i=>n(P(e,r,{...t,...i})),onRemove:e.length>1?()=>n(N(e,r)):void 0},r)),(0,X.jsx)(`div`,{children:(0,X.jsx)(c,{icon:t,onClick:()=>n([...e,J]),children:x(`recipients.add`)})})]})]})}function Z({n:e,of:t,choices:n,onChange:r,onRemove:i}){return(0,X.jsxs)(`div`,{className:`filters`,role:`group`,"aria-label":x(`recipients.recipientN`,{n:e}),children:[(0,X.jsx)(y,{label:x(`recipients.kindN`,{n:e}),value:t.kind,onChange:e=>r({kind:e}),options:q.map(e=>({value:e,label:x(`recipients.kind.${e}`)}))}),(0,X.jsx)(g,{label:x(`recipients.recipientN`,{n:e}),at:`to.${e-1}`,value:t.name,onChange:e=>r({name:e}),choices:n[t.kind],required:!0}),t.kind===`topic`&&(0,X.jsx)(g,{label:x(`recipients.exceptN`,{n:e}),value:t.except,onChange:e=>r({except:e}),placeholder:x(`recipients.exceptHint`)}),i&&(0,X.jsx)(c,{icon:M,"aria-label":x(`recipients.removeN`,{n:e}),onClick:i,children:x(`common.remove`)})]})}function Q(){let e=l(),n=u(F,e.variables),r=p(z,n.reload);return(0,X.jsx)(A,{title:x(`nav.schedules`),actions:(0,X.jsx)(s,{children:(0,X.jsxs)(a,{href:`/schedules/new`,className:`button primary`,children:[(0,X.jsx)(t,{"aria-hidden":!0,className:`icon`}),x(`schedule.new`)]})}),children:(0,X.jsxs)(O,{children:[(0,X.jsx)(C,{error:r.error}),(0,X.jsx)(w,{of:n,children:({triggerSchedules:t})=>(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(D,{label:x(`nav.schedules`),rows:t.nodes,id:e=>e.id,empty:x(`schedule.none`),columns:[{name:x(`common.name`),cell:e=>(0,X.jsx)(a,{href:`/schedules/${e.internalId}`,children:e.name})},{name:x(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:x(`schedule.next`),cell:e=>(0,X.jsx)(E,{at:e.nextRunAt,precise:!0})},{name:x(`schedule.last`),cell:e=>(0,X.jsx)(de,{of:e})},{name:x(`schedule.enabled`),cell:e=>(0,X.jsx)(m,{label:`${x(`schedule.enabled`)}: ${e.name}`,on:e.enabled,busy:r.busy,onChange:t=>r.run({input:{id:e.id,enabled:t}})})}]}),(0,X.jsx)(T,{label:x(`nav.schedules`),pager:e,info:t.pageInfo})]})})]})})}function de({of:e}){return e.lastRunAt?(0,X.jsxs)(`span`,{className:`row`,children:[(0,X.jsx)(E,{at:e.lastRunAt}),e.lastStatus&&(0,X.jsx)(k,{tone:e.lastStatus===`PROCESSED`?`good`:`bad`,children:e.lastError??j(e.lastStatus)})]}):`–`}function fe(){return(0,X.jsx)($,{})}function pe({id:e}){let t=u(I,{id:e});return(0,X.jsx)(w,{of:t,title:x(`word.SCHEDULE`),children:({triggerSchedule:e})=>(0,X.jsx)($,{of:e,reload:t.reload})})}function $({of:t,reload:n}){let[,r]=ee(),[i,a]=(0,H.useState)(t?.name??``),[o,l]=(0,H.useState)(t?.workflow?.identifier??``),[u,f]=(0,H.useState)(()=>ce(t?.to)),[m,y]=(0,H.useState)(t?.payload??{}),[b,S]=(0,H.useState)(t?.perSecond??void 0),[w,T]=(0,H.useState)(t?.startsAt??``),[E,D]=(0,H.useState)(t?.timeZone??Intl.DateTimeFormat().resolvedOptions().timeZone),[k,j]=(0,H.useState)(t?.recipientsZone??!1),[M,N]=(0,H.useState)(()=>K(t?.rrule)),[P,F]=(0,H.useState)((t?.exceptions??[]).join(` `)),[I,L]=(0,H.useState)(!1),V=p(R,e=>r(`/schedules/${e.createTriggerSchedule.triggerSchedule.internalId}`),d),U=p(z,()=>{L(!0),n?.()}),W=p(oe,()=>r(`/schedules`)),q=p(B,()=>n?.(),d),J={startsAt:w,timeZone:E,recipientsZone:k,rrule:G(M),exceptions:se(P)},Z=()=>{L(!1);let e={payload:m,to:le(u),perSecond:Y(u)&&b||null};t?U.run({input:{id:t.id,name:i,...e,...J}}):V.run({input:{name:i,workflow:o,...e,...J}})},Q=t?U:V;return(0,X.jsxs)(A,{title:t?.name??x(`schedule.new`),actions:t&&(0,X.jsxs)(s,{children:[(0,X.jsx)(c,{icon:e,disabled:q.busy,onClick:()=>q.run({id:t.id}),children:x(`schedule.run`)}),(0,X.jsx)(te,{label:x(`common.delete`),question:x(`schedule.deleteQuestion`),busy:W.busy,onConfirm:()=>W.run({id:t.id})})]}),children:[(0,X.jsx)(C,{error:W.error??q.error}),(0,X.jsxs)(`div`,{className:`cols`,children:[(0,X.jsx)(O,{title:x(`word.SCHEDULE`),children:(0,X.jsxs)(h,{submit:x(`common.save`),action:Q,onSubmit:Z,children:[(0,X.jsx)(g,{label:x(`common.name`),at:`name`,value:i,onChange:a,required:!0}),(0,X.jsx)(ne,{at:`workflow`,value:o,onChange:l,readOnly:!!t}),(0,X.jsx)(ue,{of:u,onChange:f}),(0,X.jsx)(re,{workflow:o,payload:m,onChange:y}),Y(u)&&(0,X.jsx)(v,{label:x(`repair.perSecond`),hint:x(`broadcast.paceHint`),at:`perSecond`,value:b,onChange:S}),(0,X.jsx)(g,{label:x(`schedule.startsAt`),at:`startsAt`,type:`datetime-local`,value:w,onChange:T,required:!0}),(0,X.jsx)(g,{label:x(`schedule.zone`),at:`timeZone`,value:E,onChange:D,required:!0}),(0,X.jsx)(_,{label:x(`schedule.recipientsZone`),at:`recipientsZone`,value:k,onChange:j}),(0,X.jsx)(me,{of:M,onChange:N}),(0,X.jsx)(g,{label:x(`schedule.exceptions`),hint:x(`schedule.exceptionsHint`),at:`exceptions`,value:P,onChange:F}),(0,X.jsx)(ie,{children:I&&x(`common.saved`)})]})}),w&&(0,X.jsx)(he,{of:J})]}),t&&t.events.length>0&&(0,X.jsx)(O,{title:x(`schedule.events`),children:(0,X.jsx)(ae,{of:t.events,done:()=>n?.()})})]})}function me({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(y,{label:x(`schedule.repeat`),at:`rrule`,value:e.kind,onChange:e=>n({kind:e}),options:[`once`,`daily`,`weekly`,`monthly`,`rule`].map(e=>({value:e,label:x(`schedule.repeat.${e}`)}))}),e.kind===`rule`&&(0,X.jsx)(g,{label:x(`schedule.rule`),hint:x(`schedule.ruleHint`),value:e.rule,onChange:e=>n({rule:e}),required:!0}),e.kind===`weekly`&&(0,X.jsx)(`div`,{className:`row`,children:U.map(t=>(0,X.jsx)(_,{label:x(`schedule.day.${t}`),value:e.days.includes(t),onChange:r=>n({days:r?[...e.days,t]:e.days.filter(e=>e!==t)})},t))}),e.kind!==`once`&&e.kind!==`rule`&&(0,X.jsxs)(X.Fragment,{children:[(0,X.jsx)(v,{label:x(`schedule.interval`),hint:x(`schedule.intervalHint`),value:e.interval,onChange:e=>n({interval:e??1})}),(0,X.jsx)(g,{label:x(`schedule.until`),type:`date`,value:e.until,onChange:e=>n({until:e})})]})]})}function he({of:e}){let t=o(b(JSON.stringify(e))),n=u(L,{input:t});return(0,X.jsx)(O,{title:x(`schedule.nextRuns`),children:(0,X.jsx)(w,{of:n,children:({triggerSchedulePreview:{runs:e}})=>e.length===0?(0,X.jsx)(`p`,{children:x(`schedule.noRuns`)}):(0,X.jsx)(`ol`,{children:e.map(e=>(0,X.jsx)(`li`,{children:S(Date.parse(e),t.timeZone??`UTC`,document.documentElement.lang||void 0)},e))})})})}export{fe as NewSchedule,pe as SchedulePage,Q as Schedules};