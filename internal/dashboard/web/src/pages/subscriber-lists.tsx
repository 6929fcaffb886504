import { Link } from 'wouter'
import { usePager } from '../address'
import { useQuery } from '../api'
import { MessagesDocument, SubscriberSubscriptionsDocument } from '../gql'
import { Badge, Card, Load, Pager, Table, Time } from '../ui'
import { words } from '../words'
import { messageTones } from './trace'

/** The topics that a subscriber follows. */
export function Subscriptions({ id }: { id: string }) {
  const pager = usePager()
  const query = useQuery(SubscriberSubscriptionsDocument, { subscriberId: id, ...pager.variables })
  return (
    <Card title="Subscriptions">
      <Load of={query}>
        {({ subscriberSubscriptions: list }) => (
          <>
            <Table
              label="Subscriptions"
              rows={list.nodes}
              id={(s) => s.id}
              columns={[
                {
                  name: 'Topic',
                  cell: (s) =>
                    s.topic && (
                      <Link href={`/topics/${encodeURIComponent(s.topic.key)}`}>{s.topic.name || s.topic.key}</Link>
                    ),
                },
                { name: 'Subscription', cell: (s) => <code>{s.identifier}</code> },
                { name: 'Context', cell: (s) => s.contextKeys.join(', ') || '–' },
                { name: 'Since', cell: (s) => <Time at={s.createdAt} /> },
              ]}
            />
            <Pager pager={pager} info={list.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}

/** What was sent to a subscriber. */
export function Messages({ id }: { id: string }) {
  const pager = usePager()
  const query = useQuery(MessagesDocument, { ...pager.variables, filter: { subscriberId: id } })
  return (
    <Card title="Messages">
      <Load of={query}>
        {({ messages }) => (
          <>
            <Table
              label="Messages"
              rows={messages.nodes}
              id={(m) => m.id}
              columns={[
                { name: 'When', cell: (m) => <Time at={m.createdAt} /> },
                {
                  name: 'Workflow',
                  cell: (m) => (
                    <Link href={`/activity/${m.notificationId}`}>{m.workflow?.name ?? 'deleted workflow'}</Link>
                  ),
                },
                { name: 'Channel', cell: (m) => words(m.channel) },
                { name: 'Subject', cell: (m) => m.subject ?? m.title ?? '–' },
                { name: 'Status', cell: (m) => <Badge tone={messageTones[m.status]}>{words(m.status)}</Badge> },
                {
                  name: 'Inbox',
                  cell: (m) =>
                    m.channel === 'IN_APP'
                      ? [m.read && 'read', m.seen && 'seen', m.archived && 'archived'].filter(Boolean).join(', ') ||
                        'new'
                      : '–',
                },
              ]}
            />
            <Pager pager={pager} info={messages.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}
