import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Form, Text } from '../form'
import { CreateSubscriberDocument, SubscribersDocument } from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Badge, Card, Load, Page, Pager, Table, Time } from '../ui'

export function Subscribers() {
  const { get, set } = useFilters()
  const filter = {
    deleted: false,
    subscriberIdIn: get('id') ? [get('id')] : undefined,
    email: get('email') || undefined,
    nameContains: get('name') || undefined,
  }
  const pager = usePager()
  const query = useQuery(SubscribersDocument, { ...pager.variables, filter })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title={t('nav.subscribers')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('subscribers.newSubscriber')}
          </Button>
        </May>
      }
    >
      <Card>
        <form className="filters" role="search" aria-label={t('nav.subscribers')} onSubmit={(e) => e.preventDefault()}>
          <Text label={t('common.identifier')} value={get('id')} onChange={set('id')} />
          <Text label={t('common.eMailAddress')} value={get('email')} onChange={set('email')} />
          <Text label={t('common.nameContains')} value={get('name')} onChange={set('name')} />
        </form>
      </Card>
      <Card>
        <Load of={query}>
          {({ subscribers }) => (
            <>
              <Table
                filtered={Boolean(get('id') || get('email') || get('name'))}
                label={t('nav.subscribers')}
                rows={subscribers.nodes}
                id={(s) => s.id}
                columns={[
                  {
                    name: t('common.identifier'),
                    cell: (s) => (
                      <Link href={`/subscribers/${encodeURIComponent(s.subscriberId)}`}>{s.subscriberId}</Link>
                    ),
                  },
                  { name: t('common.name'), cell: (s) => [s.firstName, s.lastName].filter(Boolean).join(' ') || '–' },
                  { name: t('word.EMAIL'), cell: (s) => s.email ?? '–' },
                  { name: t('word.PHONE'), cell: (s) => s.phone ?? '–' },
                  {
                    name: t('subscribers.online'),
                    cell: (s) => (s.isOnline ? <Badge tone="good">{t('subscribers.online2')}</Badge> : '–'),
                  },
                  { name: t('common.created'), cell: (s) => <Time at={s.createdAt} /> },
                ]}
              />
              <Pager label={t('nav.subscribers')} pager={pager} info={subscribers.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [subscriberId, setID] = useState('')
  const [email, setEmail] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateSubscriberDocument, (r) =>
    go(`/subscribers/${encodeURIComponent(r.createSubscriber.subscriber.subscriberId)}`),
  )
  return (
    <Dialog title={t('subscribers.newSubscriber')} onClose={onClose}>
      <Form
        submit={t('common.create')}
        action={create}
        onSubmit={() => create.run({ input: { subscriberId, email: email || undefined } })}
      >
        <Text
          label={t('common.identifier')}
          at="subscriberId"
          value={subscriberId}
          onChange={setID}
          required
          hint={t('subscribers.theIDOfTheUser')}
        />
        <Text label={t('common.eMailAddress')} at="email" value={email} onChange={setEmail} />
      </Form>
    </Dialog>
  )
}
