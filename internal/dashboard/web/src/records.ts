import type { SubscriberQuery, ViewerQuery } from './gql'

/** A person who is logged in, which is always in an environment. */
export type Me = ViewerQuery['viewer'] & { environment: NonNullable<ViewerQuery['viewer']['environment']> }

/** A subscriber as its page shows it. */
export type Subscriber = SubscriberQuery['subscriberBySubscriberId']
