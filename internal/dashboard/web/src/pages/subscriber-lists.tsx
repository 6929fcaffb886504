import { Link } from 'wouter'
import { usePager } from '../address'
import { useQuery } from '../api'
import { MessagesDocument, SubscriberSubscriptionsDocument } from '../gql'
import { t } from '../text/text'
import { Badge, Card, Load, Pager, Table, Time } from '../ui'
import { words } from '../words'
import { messageTones } from './trace'

/** The topics that a subscriber follows. */
export function Subscriptions({ id }: { id: string }) {
  const pager = usePager()
  const query = useQuery(SubscriberSubscriptionsDocument, { subscriberId: id, ...pager.variables })
  return (
    <Card title={t('common.subscriptions')}>
      <Load of={query}>
        {({ subscriberSubscriptions: list }) => (
          <>
            <Table
              label={t('common.subscriptions')}
              rows={list.nodes}
              id={(s) => s.id}
              columns={[
                {
                  name: t('common.topic'),
                  cell: (s) =>
                    s.topic && (
                      <Link href={`/topics/${encodeURIComponent(s.topic.key)}`}>{s.topic.name || s.topic.key}</Link>
                    ),
                },
                { name: t('common.subscription'), cell: (s) => <code>{s.identifier}</code> },
                { name: t('common.context'), cell: (s) => s.contextKeys.join(', ') || '–' },
                { name: t('common.since'), cell: (s) => <Time at={s.createdAt} /> },
              ]}
            />
            <Pager label={t('common.subscriptions')} pager={pager} info={list.pageInfo} />
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
    <Card title={t('subscriberlists.messages')}>
      <Load of={query}>
        {({ messages }) => (
          <>
            <Table
              label={t('subscriberlists.messages')}
              rows={messages.nodes}
              id={(m) => m.id}
              columns={[
                { name: t('common.when'), cell: (m) => <Time at={m.createdAt} /> },
                {
                  name: t('common.workflow'),
                  cell: (m) => (
                    <Link href={`/activity/${m.notificationId}`}>
                      {m.workflow?.name ?? t('subscriberlists.deletedWorkflow')}
                    </Link>
                  ),
                },
                { name: t('common.channel'), cell: (m) => words(m.channel) },
                { name: t('common.subject'), cell: (m) => m.subject ?? m.title ?? '–' },
                {
                  name: t('common.status'),
                  cell: (m) => <Badge tone={messageTones[m.status]}>{words(m.status)}</Badge>,
                },
                {
                  name: t('subscriberlists.inbox'),
                  cell: (m) =>
                    m.channel === 'IN_APP'
                      ? (['read', 'seen', 'archived'] as const)
                          .filter((state) => m[state])
                          .map((state) => t(`subscriberlists.${state}`))
                          .join(', ') || t('subscriberlists.new')
                      : '–',
                },
              ]}
            />
            <Pager label={t('subscriberlists.messages')} pager={pager} info={messages.pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}
