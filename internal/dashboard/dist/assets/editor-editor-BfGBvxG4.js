import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query StepStatistics($reference: String!) {
  workflowByReference(reference: $reference) {
    stepStatistics(hours: 168) {
      notifications
      capped
      steps {
        stepId
        reached
        sent
        failed
        skipped
        skips {
          reason
          count
        }
      }
    }
  }
}
    `),n=new e(`
    query LiveDefinition($reference: String!) {
  workflowByReference(reference: $reference) {
    published {
      number
      createdAt
      definition {
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
}`),r=new e(`
    query Locales {
  translations(first: 100) {
    nodes {
      locale
    }
  }
}
    `),i=new e(`
    query PastEvents($workflow: String!) {
  events(first: 10, filter: {workflow: $workflow}) {
    nodes {
      transactionId
      payload
      createdAt
    }
  }
}
    `);export{t as i,r as n,i as r,n as t};