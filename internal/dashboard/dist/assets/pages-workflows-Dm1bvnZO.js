import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query Workflows($first: Int, $after: String, $last: Int, $before: String, $filter: WorkflowFilter) {
  workflows(
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
      active
      severity
      critical
      tags
      publishedNumber
      lastTriggeredAt
      updatedAt
      issues {
        issueType
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
    `),n=new e(`
    query Workflow($reference: String!) {
  workflowByReference(reference: $reference) {
    id
    identifier
    name
    description
    active
    publishedNumber
    draftRevision
    issues {
      stepId
      key
      issueType
      variableName
      message
    }
    draft {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),r=new e(`
    query Versions($reference: String!, $first: Int, $after: String, $last: Int, $before: String) {
  workflowByReference(reference: $reference) {
    versions(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
        number
        createdAt
        publishedBy
      }
      pageInfo {
        hasPreviousPage
        hasNextPage
        startCursor
        endCursor
      }
    }
  }
}
    `),i=new e(`
    query Version($id: ID!) {
  workflowVersion(id: $id) {
    number
    definition {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),a=new e(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    workflow {
      identifier
    }
  }
}
    `),o=new e(`
    mutation SaveWorkflow($input: UpdateWorkflowInput!) {
  updateWorkflow(input: $input) {
    workflow {
      id
      name
      description
      publishedNumber
      draftRevision
      draft {
        ...DefinitionParts
      }
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),s=new e(`
    mutation SetWorkflowActive($id: ID!, $active: Boolean!) {
  setWorkflowActive(id: $id, active: $active) {
    workflow {
      id
    }
  }
}
    `),c=new e(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(id: $id) {
    deletedId
  }
}
    `),l=new e(`
    query PreviewStep($input: PreviewStepInput!) {
  previewStep(input: $input) {
    subject
    avatar
    payload
    from
    senderName
    replyTo
    content {
      text
      html
    }
    cta {
      data {
        url
      }
      action {
        buttons {
          type
          content
          url
        }
      }
    }
    error
  }
}
    `),u=new e(`
    query Explain($input: TriggerEventInput!) {
  explain(input: $input) {
    status
    error
    now
    invalid {
      path
      reason
    }
    recipients {
      subscriberId
      created
      reached
      reason
      status
      steps {
        stepId
        type
        decision
        at
        until
        channel
        reason
        detail
        condition {
          text
        }
        message {
          integrationIdentifier
          to
          subject
          content {
            text
            html
          }
        }
      }
    }
  }
}
    `),d=new e(`
    mutation Trigger($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    result {
      status
      error
      transactionId
    }
  }
}
    `),f=new e(`
    query Clock {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
}
    `),p=new e(`
    mutation AdvanceClock($by: String!) {
  advanceClock(by: $by) {
    clock {
      now
      settled
    }
  }
}
    `),m=new e(`
    mutation ResetClock {
  resetClock {
    clock {
      now
    }
  }
}
    `);export{u as a,o as c,i as d,r as f,c as i,s as l,t as m,f as n,l as o,n as p,a as r,m as s,p as t,d as u};