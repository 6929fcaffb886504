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
      title="Subscribers"
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            New subscriber
          </Button>
        </May>
      }
    >
      <Card>
        <form className="filters" role="search" aria-label="Subscribers" onSubmit={(e) => e.preventDefault()}>
          <Text label="Identifier" value={get('id')} onChange={set('id')} />
          <Text label="E-mail address" value={get('email')} onChange={set('email')} />
          <Text label="Name contains" value={get('name')} onChange={set('name')} />
        </form>
      </Card>
      <Card>
        <Load of={query}>
          {({ subscribers }) => (
            <>
              <Table
                filtered={Boolean(get('id') || get('email') || get('name'))}
                label="Subscribers"
                rows={subscribers.nodes}
                id={(s) => s.id}
                columns={[
                  {
                    name: 'Identifier',
                    cell: (s) => (
                      <Link href={`/subscribers/${encodeURIComponent(s.subscriberId)}`}>{s.subscriberId}</Link>
                    ),
                  },
                  { name: 'Name', cell: (s) => [s.firstName, s.lastName].filter(Boolean).join(' ') || '–' },
                  { name: 'E-mail', cell: (s) => s.email ?? '–' },
                  { name: 'Phone', cell: (s) => s.phone ?? '–' },
                  { name: 'Online', cell: (s) => (s.isOnline ? <Badge tone="good">online</Badge> : '–') },
                  { name: 'Created', cell: (s) => <Time at={s.createdAt} /> },
                ]}
              />
              <Pager pager={pager} info={subscribers.pageInfo} />
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
    <Dialog title="New subscriber" onClose={onClose}>
      <Form
        submit="Create"
        action={create}
        onSubmit={() => create.run({ input: { subscriberId, email: email || undefined } })}
      >
        <Text
          label="Identifier"
          at="subscriberId"
          value={subscriberId}
          onChange={setID}
          required
          hint="The ID of the user in your system."
        />
        <Text label="E-mail address" at="email" value={email} onChange={setEmail} />
      </Form>
    </Dialog>
  )
}
