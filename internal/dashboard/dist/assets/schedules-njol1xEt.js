import{t as e}from"./play-Cip50p4V.js";import{t}from"./plus-DMsR_D0x.js";import{i as n,n as r,t as i}from"./jsx-runtime-DyZJNswf.js";import{A as a,F as ee,Q as o,_ as s,i as te,t as c}from"./button-DrZok8y8.js";import{r as l}from"./address-AAVe8LmF.js";import{f as u,s as d,t as f,u as p}from"./document-DOpnm8OA.js";import{c as m,i as ne,l as h,n as g,o as _,s as v}from"./form-LUm_ZQFx.js";import{t as y}from"./identifier-field-CVgPA83g.js";import{t as re}from"./fields-lfGvzJAc.js";import{t as b}from"./settled-dJsPCCLj.js";import{c as x}from"./text-AeBTDtkA.js";import{r as S}from"./time-D8_SN1N-.js";import{a as C,c as w,d as T,g as E,m as D,n as O,p as k,t as A,u as j}from"./ui-Bua6Uujo.js";import{t as M}from"./words-BFceARnm.js";import{n as ie}from"./broadcasts-DpLghtAz.js";import{t as N}from"./trash-B1RwUmsa.js";import{l as P,u as F}from"./lists-CpmF0fzc.js";var I=new f(`
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
}`),L=new f(`
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
}`),R=new f(`
    query SchedulePreview($input: TriggerSchedulePreviewInput!) {
  triggerSchedulePreview(input: $input) {
    runs
  }
}
    `),ae=new f(`
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
    `),se=new f(`
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
    `),B=n(r(),1),V=[`MO`,`TU`,`WE`,`TH`,`FR`,`SA`,`SU`],H={DAILY:`daily`,WEEKLY:`weekly`,MONTHLY:`monthly`};function U(e){if(e.kind===`once`)return null;if(e.kind===`rule`)return e.rule.trim();let t=[`FREQ=${e.kind.toUpperCase()}`];return e.interval>1&&t.push(`INTERVAL=${e.interval}`),e.kind===`weekly`&&e.days.length>0&&t.push(`BYDAY=${V.filter(t=>e.days.includes(t)).join(`,`)}`),e.until&&t.push(`UNTIL=${e.until.replaceAll(`-`,``)}`),t.join(`;`)}function W(e){let t={kind:`once`,interval:1,days:[],until:``,rule:e??`FREQ=MONTHLY;BYDAY=1MO`};if(!e)return t;for(let n of e.split(`;`)){let[e,r=``]=n.split(`=`);e===`FREQ`&&r in H&&(t.kind=H[r]),e===`INTERVAL`&&(t.interval=Number(r)),e===`BYDAY`&&(t.days=r.split(`,`)),e===`UNTIL`&&(t.until=r.replace(/^(\d{4})(\d\d)(\d\d)$/,`$1-$2-$3`))}return U(t)===e?t:{...t,kind:`rule`,days:[],interval:1,until:``}}var G=e=>e.split(/[\s,;]+/).filter(Boolean),K=[`subscriber`,`topic`,`audience`],q={kind:`subscriber`,name:``,except:``},ce=e=>e?.map(({subscriberId:e,topic:t,audience:n})=>t?{kind:`topic`,name:t.topicKey,except:(t.exclude??[]).join(` `)}:n?{kind:`audience`,name:n,except:``}:{kind:`subscriber`,name:e??``,except:``}),le=e=>e?.map(({kind:e,name:t,except:n})=>{if(e===`audience`)return{audience:t};if(e===`subscriber`)return{subscriberId:t};let r=n.split(/\s+/).filter(Boolean);return{topic:{topicKey:t,...r.length>0&&{exclude:r}}}})??null,J=e=>!e||e.some(e=>e.kind!==`subscriber`),Y=i();function ue({of:e,onChange:n}){return(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(v,{label:x(`schedule.to`),at:`to`,value:e?`chosen`:`everyone`,onChange:e=>n(e===`chosen`?[q]:void 0),options:[{value:`everyone`,label:x(`recipients.everyone`)},{value:`chosen`,label:x(`recipients.chosen`)}]}),e&&(0,Y.jsxs)(`fieldset`,{children:[(0,Y.jsx)(`legend`,{children:x(`recipients.chosen`)}),e.map((t,r)=>(0,Y.jsx)(X,{n:r+1,of:t,onChange:i=>n(F(e,r,{...t,...i})),onRemove:e.length>1?()=>n(P(e,r)):void 0},r)),(0,Y.jsx)(`div`,{children:(0,Y.jsx)(c,{icon:t,onClick:()=>n([...e,q]),children:x(`recipients.add`)})})]})]})}function X({n:e,of:t,onChange:n,onRemove:r}){return(0,Y.jsxs)(`div`,{className:`filters`,role:`group`,"aria-label":x(`recipients.recipientN`,{n:e}),children:[(0,Y.jsx)(v,{label:x(`recipients.kindN`,{n:e}),value:t.kind,onChange:e=>n({kind:e}),options:K.map(e=>({value:e,label:x(`recipients.kind.${e}`)}))}),(0,Y.jsx)(y,{of:t.kind,label:x(`recipients.recipientN`,{n:e}),at:`to.${e-1}`,value:t.name,onChange:e=>n({name:e}),required:!0}),t.kind===`topic`&&(0,Y.jsx)(y,{of:`subscriber`,several:!0,label:x(`recipients.exceptN`,{n:e}),value:t.except,onChange:e=>n({except:e}),placeholder:x(`recipients.exceptHint`)}),r&&(0,Y.jsx)(c,{icon:N,"aria-label":x(`recipients.removeN`,{n:e}),onClick:r,children:x(`common.remove`)})]})}function Z(){let e=l(),n=u(I,e.variables),r=p(z,n.reload);return(0,Y.jsx)(j,{title:x(`nav.schedules`),actions:(0,Y.jsx)(s,{children:(0,Y.jsxs)(a,{href:`/schedules/new`,className:`button primary`,children:[(0,Y.jsx)(t,{"aria-hidden":!0,className:`icon`}),x(`schedule.new`)]})}),children:(0,Y.jsxs)(O,{children:[(0,Y.jsx)(C,{error:r.error}),(0,Y.jsx)(w,{of:n,children:({triggerSchedules:t})=>(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(D,{label:x(`nav.schedules`),rows:t.nodes,id:e=>e.id,empty:x(`schedule.none`),columns:[{name:x(`common.name`),cell:e=>(0,Y.jsx)(a,{href:`/schedules/${e.internalId}`,children:e.name})},{name:x(`common.workflow`),cell:e=>e.workflow?.name??`–`},{name:x(`schedule.next`),cell:e=>(0,Y.jsx)(E,{at:e.nextRunAt,precise:!0})},{name:x(`schedule.last`),cell:e=>(0,Y.jsx)(Q,{of:e})},{name:x(`schedule.enabled`),cell:e=>(0,Y.jsx)(m,{label:`${x(`schedule.enabled`)}: ${e.name}`,on:e.enabled,busy:r.busy,onChange:t=>r.run({input:{id:e.id,enabled:t}})})}]}),(0,Y.jsx)(T,{label:x(`nav.schedules`),pager:e,info:t.pageInfo})]})})]})})}function Q({of:e}){return e.lastRunAt?(0,Y.jsxs)(`span`,{className:`row`,children:[(0,Y.jsx)(E,{at:e.lastRunAt}),e.lastStatus&&(0,Y.jsx)(A,{tone:e.lastStatus===`PROCESSED`?`good`:`bad`,children:e.lastError??M(e.lastStatus)})]}):`–`}function de(){return(0,Y.jsx)($,{})}function fe({id:e}){let t=u(L,{id:e});return(0,Y.jsx)(w,{of:t,title:x(`word.SCHEDULE`),children:({triggerSchedule:e})=>(0,Y.jsx)($,{of:e,reload:t.reload})})}function $({of:t,reload:n}){let[,r]=ee(),[i,a]=(0,B.useState)(t?.name??``),[o,l]=(0,B.useState)(t?.workflow?.identifier??``),[u,f]=(0,B.useState)(()=>ce(t?.to)),[m,v]=(0,B.useState)(t?.payload??{}),[b,S]=(0,B.useState)(t?.perSecond??void 0),[w,T]=(0,B.useState)(t?.startsAt??``),[E,D]=(0,B.useState)(t?.timeZone??Intl.DateTimeFormat().resolvedOptions().timeZone),[A,M]=(0,B.useState)(t?.recipientsZone??!1),[N,P]=(0,B.useState)(()=>W(t?.rrule)),[F,I]=(0,B.useState)((t?.exceptions??[]).join(` `)),[L,R]=(0,B.useState)(!1),V=p(ae,e=>r(`/schedules/${e.createTriggerSchedule.triggerSchedule.internalId}`),d),H=p(z,()=>{R(!0),n?.()}),K=p(oe,()=>r(`/schedules`)),q=p(se,()=>n?.(),d),X={startsAt:w,timeZone:E,recipientsZone:A,rrule:U(N),exceptions:G(F)},Z=()=>{R(!1);let e={payload:m,to:le(u),perSecond:J(u)&&b||null};t?H.run({input:{id:t.id,name:i,...e,...X}}):V.run({input:{name:i,workflow:o,...e,...X}})},Q=t?H:V;return(0,Y.jsxs)(j,{title:t?.name??x(`schedule.new`),actions:t&&(0,Y.jsxs)(s,{children:[(0,Y.jsx)(c,{icon:e,disabled:q.busy,onClick:()=>q.run({id:t.id}),children:x(`schedule.run`)}),(0,Y.jsx)(te,{label:x(`common.delete`),question:x(`schedule.deleteQuestion`),busy:K.busy,onConfirm:()=>K.run({id:t.id})})]}),children:[(0,Y.jsx)(C,{error:K.error??q.error}),(0,Y.jsxs)(`div`,{className:`cols`,children:[(0,Y.jsx)(O,{title:x(`word.SCHEDULE`),children:(0,Y.jsxs)(ne,{submit:x(`common.save`),action:Q,onSubmit:Z,children:[(0,Y.jsx)(h,{label:x(`common.name`),at:`name`,value:i,onChange:a,required:!0}),(0,Y.jsx)(y,{of:`workflow`,label:x(`common.workflow`),at:`workflow`,value:o,onChange:l,readOnly:!!t,required:!0}),(0,Y.jsx)(ue,{of:u,onChange:f}),(0,Y.jsx)(re,{workflow:o,payload:m,onChange:v}),J(u)&&(0,Y.jsx)(_,{label:x(`repair.perSecond`),hint:x(`broadcast.paceHint`),at:`perSecond`,value:b,onChange:S}),(0,Y.jsx)(h,{label:x(`schedule.startsAt`),at:`startsAt`,type:`datetime-local`,value:w,onChange:T,required:!0}),(0,Y.jsx)(h,{label:x(`schedule.zone`),at:`timeZone`,value:E,onChange:D,required:!0}),(0,Y.jsx)(g,{label:x(`schedule.recipientsZone`),at:`recipientsZone`,value:A,onChange:M}),(0,Y.jsx)(pe,{of:N,onChange:P}),(0,Y.jsx)(h,{label:x(`schedule.exceptions`),hint:x(`schedule.exceptionsHint`),at:`exceptions`,value:F,onChange:I}),(0,Y.jsx)(k,{children:L&&x(`common.saved`)})]})}),w&&(0,Y.jsx)(me,{of:X})]}),t&&t.events.length>0&&(0,Y.jsx)(O,{title:x(`schedule.events`),children:(0,Y.jsx)(ie,{of:t.events,done:()=>n?.()})})]})}function pe({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(v,{label:x(`schedule.repeat`),at:`rrule`,value:e.kind,onChange:e=>n({kind:e}),options:[`once`,`daily`,`weekly`,`monthly`,`rule`].map(e=>({value:e,label:x(`schedule.repeat.${e}`)}))}),e.kind===`rule`&&(0,Y.jsx)(h,{label:x(`schedule.rule`),hint:x(`schedule.ruleHint`),value:e.rule,onChange:e=>n({rule:e}),required:!0}),e.kind===`weekly`&&(0,Y.jsx)(`div`,{className:`row`,children:V.map(t=>(0,Y.jsx)(g,{label:x(`schedule.day.${t}`),value:e.days.includes(t),onChange:r=>n({days:r?[...e.days,t]:e.days.filter(e=>e!==t)})},t))}),e.kind!==`once`&&e.kind!==`rule`&&(0,Y.jsxs)(Y.Fragment,{children:[(0,Y.jsx)(_,{label:x(`schedule.interval`),hint:x(`schedule.intervalHint`),value:e.interval,onChange:e=>n({interval:e??1})}),(0,Y.jsx)(h,{label:x(`schedule.until`),type:`date`,value:e.until,onChange:e=>n({until:e})})]})]})}function me({of:e}){let t=o(b(JSON.stringify(e))),n=u(R,{input:t});return(0,Y.jsx)(O,{title:x(`schedule.nextRuns`),children:(0,Y.jsx)(w,{of:n,children:({triggerSchedulePreview:{runs:e}})=>e.length===0?(0,Y.jsx)(`p`,{children:x(`schedule.noRuns`)}):(0,Y.jsx)(`ol`,{children:e.map(e=>(0,Y.jsx)(`li`,{children:S(Date.parse(e),t.timeZone??`UTC`,document.documentElement.lang||void 0)},e))})})})}export{de as NewSchedule,fe as SchedulePage,Z as Schedules};