import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query Suppressions($first: Int, $after: String, $last: Int, $before: String, $filter: SuppressionFilter) {
  suppressions(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      channel
      address
      reason
      detail
      createdAt
      integration {
        id
        name
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
    query Receipts($first: Int, $after: String, $last: Int, $before: String, $filter: ReceiptFilter) {
  receipts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      kind
      recipient
      occurredAt
      permanent
      detail
      providerMessageId
      integration {
        id
        name
      }
      message {
        notificationId
        workflow {
          name
        }
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
    `),r=new e(`
    query Replies($first: Int, $after: String, $last: Int, $before: String, $filter: ReplyFilter) {
  replies(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      status
      attempts
      errorText
      dueAt
      body
      createdAt
      message {
        notificationId
        workflow {
          name
        }
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
    `),i=new e(`
    query Digests($first: Int, $after: String, $last: Int, $before: String, $filter: DigestFilter) {
  digests(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      notificationId
      workflow {
        name
      }
      subscriber {
        subscriberId
      }
      stepId
      digestKey
      status
      openedAt
      closesAt
      total
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),a=new e(`
    query Contexts($first: Int, $after: String, $last: Int, $before: String, $filter: ContextFilter) {
  contexts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      type
      identifier
      key
      data
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),o=new e(`
    query Feeds($first: Int, $after: String, $last: Int, $before: String) {
  feeds(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      identifier
      name
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),s=new e(`
    query PreferenceHistory($first: Int, $after: String, $last: Int, $before: String, $filter: PreferenceChangeFilter) {
  preferenceChanges(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      workflow {
        name
      }
      contextKeys
      enabled
      channels {
        inApp
        email
        sms
        push
        chat
      }
      changedBy
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),c=new e(`
    query ExportSubscriber($subscriberId: String!, $first: Int, $after: String) {
  exportSubscriber(subscriberId: $subscriberId, first: $first, after: $after) {
    records {
      kind
      data
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `),l=new e(`
    query Health {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
  pending: notifications(
    first: 1
    filter: {statusIn: [PENDING]}
    orderBy: {field: ID, direction: ASC}
  ) {
    totalCount
    totalCountCapped
    nodes {
      createdAt
    }
  }
  waiting: notifications(first: 1, filter: {statusIn: [WAITING]}) {
    totalCount
    totalCountCapped
  }
  parked: notifications(first: 1, filter: {statusIn: [PARKED]}) {
    totalCount
    totalCountCapped
  }
  parkedEvents: events(first: 1, filter: {statusIn: [PARKED]}) {
    totalCount
    totalCountCapped
  }
  openEvents: events(first: 1, filter: {statusIn: [ACCEPTED]}) {
    totalCount
    totalCountCapped
  }
  messages(first: 1, filter: {statusIn: [PENDING]}) {
    totalCount
    totalCountCapped
  }
  replies(first: 1, filter: {statusIn: [PENDING, FAILED]}) {
    totalCount
    totalCountCapped
  }
  digests(first: 1, filter: {statusIn: [OPEN]}) {
    totalCount
    totalCountCapped
  }
  integrations(first: 100) {
    nodes {
      id
      name
      channel
      active
      breaker
      breakerCause
      breakerProbeAt
      learnedRate
      rateLimit
      health {
        attempts
        accepted
        rejected
        unknown
        pending
      }
    }
  }
}
    `),u=new e(`
    mutation CreateSuppression($input: CreateSuppressionInput!) {
  createSuppression(input: $input) {
    suppression {
      id
    }
  }
}
    `),d=new e(`
    mutation DeleteSuppression($id: ID!) {
  deleteSuppression(id: $id) {
    deletedId
  }
}
    `),f=new e(`
    mutation CreateContext($input: CreateContextInput!) {
  createContext(input: $input) {
    context {
      id
    }
  }
}
    `),p=new e(`
    mutation UpdateContext($input: UpdateContextInput!) {
  updateContext(input: $input) {
    context {
      id
    }
  }
}
    `),m=new e(`
    mutation DeleteContext($id: ID!) {
  deleteContext(id: $id) {
    deletedId
  }
}
    `),h=new e(`
    mutation CreateFeed($input: CreateFeedInput!) {
  createFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),g=new e(`
    mutation UpdateFeed($input: UpdateFeedInput!) {
  updateFeed(input: $input) {
    feed {
      id
    }
  }
}
    `),_=new e(`
    mutation DeleteFeed($id: ID!) {
  deleteFeed(id: $id) {
    deletedId
  }
}
    `),v=new e(`
    mutation EraseSubscriber($subscriberId: String!) {
  eraseSubscriber(subscriberId: $subscriberId) {
    erasure {
      rows
      done
    }
  }
}
    `),y=new e(`
    query Context($id: ID!) {
  context(id: $id) {
    id
    type
    identifier
    key
    data
    updatedAt
  }
}
    `),b=new e(`
    query Feed($id: ID!) {
  feed(id: $id) {
    id
    identifier
    name
    createdAt
  }
}
    `);export{r as _,u as a,g as b,d as c,c as d,b as f,n as g,s as h,h as i,i as l,l as m,a as n,m as o,o as p,f as r,_ as s,y as t,v as u,t as v,p as y};