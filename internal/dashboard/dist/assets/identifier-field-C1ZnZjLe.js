import{i as e,n as t,t as n}from"./jsx-runtime-DyZJNswf.js";import{m as r,t as i}from"./document-dlEMawag.js";import{l as a}from"./form-DrW5btIS.js";import{a as o,t as s}from"./lists-CpmF0fzc.js";import{t as c}from"./settled-dJsPCCLj.js";var l=new i(`
    query OfferedWorkflows($text: String) {
  offered: workflows(first: 20, filter: {query: $text}) {
    nodes {
      value: identifier
      label: name
    }
  }
}
    `),u=new i(`
    query OfferedIntegrations($text: String) {
  offered: integrations(first: 20, filter: {nameContains: $text}) {
    nodes {
      value: identifier
      label: name
    }
  }
}
    `),d=new i(`
    query OfferedLayouts($text: String) {
  offered: layouts(first: 20, filter: {nameContains: $text}) {
    nodes {
      value: identifier
      label: name
    }
  }
}
    `),f=new i(`
    query OfferedFeeds($text: String) {
  offered: feeds(first: 20, filter: {nameContains: $text}) {
    nodes {
      value: identifier
      label: name
    }
  }
}
    `),p=new i(`
    query OfferedTopics($text: String) {
  offered: topics(first: 20, filter: {keyContains: $text}) {
    nodes {
      value: key
      label: name
    }
  }
}
    `),m=new i(`
    query OfferedAudiences($text: String) {
  offered: audiences(first: 20, filter: {nameContains: $text}) {
    nodes {
      value: identifier
      label: name
    }
  }
}
    `),h=new i(`
    query OfferedSubscribers($text: String) {
  offered: subscribers(first: 20, filter: {nameContains: $text, deleted: false}) {
    nodes {
      value: subscriberId
      label: firstName
      last: lastName
    }
  }
}
    `),g=e(t(),1),_=n(),v={workflow:l,integration:u,layout:d,feed:f,topic:p,audience:m,subscriber:h};function y({of:e,several:t,...n}){let[i,l]=(0,g.useState)(!1),u=c(t?o(n.value):n.value.trim()),{data:d}=r(v[e],{text:u||void 0},!i||n.readOnly),f=(d?.offered.nodes??[]).map(({value:e,label:t,last:n})=>({value:e,label:[t,n].filter(Boolean).join(` `)}));return(0,_.jsx)(a,{...n,choices:t?s(n.value,f):f,onFocus:()=>l(!0)})}export{y as t};