import{t as e}from"./document-dlEMawag.js";var t=new e(`
    query Subscribers($first: Int, $after: String, $last: Int, $before: String, $filter: SubscriberFilter) {
  subscribers(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      subscriberId
      firstName
      lastName
      email
      phone
      isOnline
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
    `),n=new e(`
    query Subscriber($subscriberId: String!) {
  subscriberBySubscriberId(subscriberId: $subscriberId) {
    id
    internalId
    subscriberId
    firstName
    lastName
    email
    phone
    avatar
    locale
    timezone
    data
    isOnline
    lastOnlineAt
    createdAt
    updatedAt
    schedule {
      isEnabled
      weeklySchedule {
        monday {
          ...DayParts
        }
        tuesday {
          ...DayParts
        }
        wednesday {
          ...DayParts
        }
        thursday {
          ...DayParts
        }
        friday {
          ...DayParts
        }
        saturday {
          ...DayParts
        }
        sunday {
          ...DayParts
        }
      }
    }
    channels(first: 100) {
      nodes {
        id
        providerId
        credentials {
          webhookUrl
          deviceTokens
          channel
        }
      }
    }
  }
}
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}`),r=new e(`
    mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriber {
      subscriberId
    }
  }
}
    `),i=new e(`
    mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    subscriber {
      id
    }
  }
}
    `),a=new e(`
    mutation SetSchedule($input: SetScheduleInput!) {
  setSchedule(input: $input) {
    subscriber {
      id
    }
  }
}
    `),o=new e(`
    mutation DeleteSubscriber($id: ID!) {
  deleteSubscriber(id: $id) {
    deletedId
  }
}
    `),s=new e(`
    query Preferences($subscriberId: String!) {
  subscriberPreferences(subscriberId: $subscriberId, criticality: ALL) {
    global {
      enabled
      channels {
        email
        sms
        inApp
        chat
        push
      }
    }
    workflows {
      enabled
      channels {
        email
        sms
        inApp
        chat
        push
      }
      overrides {
        channel
        enabled
        source
      }
      workflow {
        id
        identifier
        name
        critical
      }
    }
  }
}
    `),c=new e(`
    mutation SetGlobalPreferences($input: SetGlobalPreferencesInput!) {
  setGlobalPreferences(input: $input) {
    preference {
      enabled
    }
  }
}
    `),l=new e(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    preferences {
      enabled
    }
  }
}
    `),u=new e(`
    query SubscriberSubscriptions($subscriberId: String!, $first: Int, $after: String, $last: Int, $before: String) {
  subscriberSubscriptions(
    subscriberId: $subscriberId
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      id
      identifier
      name
      contextKeys
      createdAt
      topic {
        key
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
    `),d=new e(`
    query Messages($first: Int, $after: String, $last: Int, $before: String, $filter: MessageFilter) {
  messages(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      notificationId
      transactionId
      channel
      status
      target
      providerId
      errorText
      subject
      title
      read
      seen
      archived
      createdAt
      workflow {
        identifier
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
    `);export{c as a,u as c,i as d,s as i,t as l,o as n,a as o,d as r,n as s,r as t,l as u};