import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Check, Form, Select, Text } from '../form'
import {
  CreateWebhookEndpointDocument,
  DeleteWebhookEndpointDocument,
  PingWebhookEndpointDocument,
  ReplayWebhookDeliveriesDocument,
  ReplayWebhookDeliveryDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookEndpointDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryStatus,
  WebhookEndpointsDocument,
  type WebhookEndpointsQuery,
  type WebhookEventType,
} from '../gql'
import { include } from '../lists'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { Badge, Card, Failure, Fresh, JSONView, Load, Note, Page, Pager, Table, Time, type Tone } from '../ui'
import { count, words } from '../words'

type Endpoint = WebhookEndpointsQuery['webhookEndpoints']['nodes'][number]
type Delivery = WebhookDeliveriesQuery['webhookDeliveries']['nodes'][number]

const types: WebhookEventType[] = [
  'EVENT_ACCEPTED',
  'NOTIFICATION_STARTED',
  'NOTIFICATION_FINISHED',
  'MESSAGE_SENT',
  'MESSAGE_FAILED',
  'MESSAGE_DELIVERED',
  'MESSAGE_OPENED',
  'MESSAGE_CLICKED',
  'MESSAGE_UNDELIVERED',
  'MESSAGE_BOUNCED',
  'MESSAGE_COMPLAINED',
  'MESSAGE_READ',
  'MESSAGE_ARCHIVED',
  'PREFERENCE_CHANGED',
  'SUBSCRIBER_CREATED',
  'SUBSCRIBER_UPDATED',
  'SUBSCRIBER_DELETED',
  'WORKFLOW_PUBLISHED',
  'INTEGRATION_UNHEALTHY',
  'INTEGRATION_RECOVERED',
  'WEBHOOK_ENDPOINT_DISABLED',
  'ALERT_OPENED',
  'ALERT_RECOVERED',
]

/** The URLs that are called about what happens in the environment, and the calls. */
export function Webhooks() {
  const pager = usePager()
  const query = useQuery(WebhookEndpointsDocument, pager.variables)
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<Endpoint>()
  const [fresh, setFresh] = useState('')
  const ping = useAction(PingWebhookEndpointDocument)
  const remove = useAction(DeleteWebhookEndpointDocument, query.reload)
  const rotate = useAction(RotateWebhookSecretDocument, (r) => {
    setFresh(r.rotateWebhookSecret.secret)
    query.reload()
  })
  const done = () => {
    setCreating(false)
    setEdited(undefined)
    query.reload()
  }
  return (
    <Page
      title="Webhooks"
      actions={
        <May needs="ADMIN">
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            New endpoint
          </Button>
        </May>
      }
    >
      <Card title="Endpoints">
        <Failure error={ping.error ?? remove.error ?? rotate.error} />
        <Fresh what="The secret" secret={fresh} key={fresh} />
        <Load of={query}>
          {({ webhookEndpoints }) => (
            <>
              <Table
                label="Webhook endpoints"
                rows={webhookEndpoints.nodes}
                id={(e) => e.id}
                empty="No webhook endpoints."
                columns={[
                  {
                    name: 'URL',
                    cell: (e) => (
                      <span>
                        <code>{e.url}</code> {e.description}
                      </span>
                    ),
                  },
                  {
                    name: 'Events',
                    cell: (e) => (e.eventTypes.length ? e.eventTypes.map(words).join(', ') : 'all'),
                  },
                  { name: 'Status', cell: (e) => <State of={e} /> },
                  {
                    name: '',
                    cell: (e) => (
                      <May needs="ADMIN">
                        <span className="row">
                          <Button disabled={!e.active} onClick={() => ping.run({ id: e.id })}>
                            Send a ping
                          </Button>
                          <Button icon={Pencil} onClick={() => setEdited(e)} aria-label={`Change ${e.url}`}>
                            Change
                          </Button>
                          <Confirm
                            label="Rotate secret"
                            look=""
                            needs="ADMIN"
                            question="Make a new secret? For one day each delivery has a signature under both secrets."
                            onConfirm={() => rotate.run({ input: { id: e.id } })}
                          />
                          <Confirm
                            label="Delete"
                            needs="ADMIN"
                            question={`Delete the endpoint ${e.url}? Deliveries that wait will fail.`}
                            onConfirm={() => remove.run({ id: e.id })}
                          />
                        </span>
                      </May>
                    ),
                  },
                ]}
              />
              <Pager pager={pager} info={webhookEndpoints.pageInfo} />
              <Deliveries endpoints={webhookEndpoints.nodes} />
            </>
          )}
        </Load>
      </Card>
      {creating && (
        <Change
          onClose={() => setCreating(false)}
          onDone={(secret) => {
            setFresh(secret ?? '')
            done()
          }}
        />
      )}
      {edited && <Change of={edited} onClose={() => setEdited(undefined)} onDone={done} />}
    </Page>
  )
}

function State({ of: e }: { of: Endpoint }) {
  if (e.active && e.failingSince)
    return (
      <span>
        <Badge tone="wait">failing</Badge> since <Time at={e.failingSince} />
      </span>
    )
  if (e.active) return <Badge tone="good">active</Badge>
  return (
    <span>
      <Badge tone="bad">inactive</Badge> {e.disabledReason}
    </span>
  )
}

/** A new endpoint, or a change of one. */
function Change({ of: e, onClose, onDone }: { of?: Endpoint; onClose: () => void; onDone: (secret?: string) => void }) {
  const [url, setURL] = useState(e?.url ?? '')
  const [description, setDescription] = useState(e?.description ?? '')
  const [chosen, setChosen] = useState<WebhookEventType[]>([...(e?.eventTypes ?? [])])
  const [workflows, setWorkflows] = useState(e?.workflows.join(', ') ?? '')
  const [ordered, setOrdered] = useState(e?.ordered ?? false)
  const [active, setActive] = useState(e?.active ?? true)
  const create = useAction(CreateWebhookEndpointDocument, (r) => onDone(r.createWebhookEndpoint.secret))
  const update = useAction(UpdateWebhookEndpointDocument, () => onDone())
  const input = {
    url,
    description,
    eventTypes: chosen,
    workflows: workflows
      .split(',')
      .map((w) => w.trim())
      .filter(Boolean),
    ordered,
  }
  const save = () => (e ? update.run({ input: { id: e.id, active, ...input } }) : create.run({ input }))
  return (
    <Dialog title={e ? 'Change the endpoint' : 'New endpoint'} onClose={onClose}>
      <Form submit={e ? 'Save' : 'Create'} action={e ? update : create} onSubmit={save}>
        <Text label="URL" at="url" value={url} onChange={setURL} required placeholder="https://example.com/carillon" />
        <Text label="Description" at="description" value={description} onChange={setDescription} />
        <fieldset>
          <legend>Events; none: all</legend>
          {types.map((t) => (
            <Check
              key={t}
              label={words(t)}
              value={chosen.includes(t)}
              onChange={(on) => setChosen(include(chosen, t, on))}
            />
          ))}
        </fieldset>
        <Text
          label="Workflows"
          at="workflows"
          value={workflows}
          onChange={setWorkflows}
          hint="Identifiers, separated by commas; none: all."
        />
        <Check label="In order for each subscriber" value={ordered} onChange={setOrdered} />
        {e && <Check label="Active" value={active} onChange={setActive} />}
      </Form>
    </Dialog>
  )
}

const tones: Record<WebhookDeliveryStatus, Tone> = { PENDING: 'wait', DELIVERED: 'good', FAILED: 'bad' }

/** The deliveries to one endpoint, or to all. */
function Deliveries({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const { get, set } = useFilters('d-')
  const pager = usePager('d-')
  const endpointId = get('endpoint')
  const status = get('status') as WebhookDeliveryStatus | ''
  const query = useQuery(WebhookDeliveriesDocument, {
    ...pager.variables,
    filter: { endpointId: endpointId || undefined, statusIn: status ? [status] : undefined },
  })
  const [shown, setShown] = useState<Delivery>()
  const [replayed, setReplayed] = useState('')
  const all = useAction(ReplayWebhookDeliveriesDocument, (r) => {
    setReplayed(
      `${count(r.replayWebhookDeliveries.count, 'delivery').replace('deliverys', 'deliveries')} will be sent again.`,
    )
    query.reload()
  })
  return (
    <Card
      title="Deliveries"
      actions={
        <>
          <Button onClick={query.reload}>Refresh</Button>
          {endpointId && (
            <Confirm
              label="Replay all failed"
              look=""
              needs="ADMIN"
              question="Send all failed deliveries of this endpoint again?"
              onConfirm={() => all.run({ input: { endpointId } })}
            />
          )}
        </>
      }
    >
      <Failure error={all.error} />
      {replayed && (
        <Note tone="good" role="status">
          {replayed}
        </Note>
      )}
      <div className="filters">
        <Select
          label="Endpoint"
          value={endpointId}
          onChange={set('endpoint')}
          options={[{ value: '', label: 'all' }, ...endpoints.map((e) => ({ value: e.id, label: e.url }))]}
        />
        <Select
          label="Status"
          value={status}
          onChange={set('status')}
          options={[{ value: '', label: 'all' }, 'PENDING', 'DELIVERED', 'FAILED']}
        />
      </div>
      <Load of={query}>
        {({ webhookDeliveries }) => (
          <>
            <Table
              label="Webhook deliveries"
              rows={webhookDeliveries.nodes}
              id={(d) => d.id}
              empty="No deliveries match these filters."
              columns={[
                { name: 'When', cell: (d) => <Time at={d.createdAt} /> },
                { name: 'Event', cell: (d) => words(d.eventType) },
                { name: 'Status', cell: (d) => <Badge tone={tones[d.status]}>{words(d.status)}</Badge> },
                { name: 'Attempts', cell: (d) => d.attempts },
                { name: 'Next attempt', cell: (d) => <Time at={d.dueAt} /> },
                {
                  name: '',
                  cell: (d) => (
                    <Button look="plain" onClick={() => setShown(d)} aria-label={`Show delivery ${d.internalId}`}>
                      Show
                    </Button>
                  ),
                },
              ]}
            />
            <Pager pager={pager} info={webhookDeliveries.pageInfo} />
          </>
        )}
      </Load>
      {shown && (
        <One
          of={shown}
          onClose={() => setShown(undefined)}
          onDone={() => {
            setShown(undefined)
            query.reload()
          }}
        />
      )}
    </Card>
  )
}

/** One delivery: what was posted, and what was answered. */
function One({ of: d, onClose, onDone }: { of: Delivery; onClose: () => void; onDone: () => void }) {
  const replay = useAction(ReplayWebhookDeliveryDocument, onDone)
  return (
    <Dialog title={`Delivery ${d.internalId}`} onClose={onClose}>
      <Failure error={replay.error} />
      <JSONView label="Body" value={d.payload} />
      <Table
        label="Attempts"
        rows={d.attemptLog}
        id={(a) => String(a.number)}
        empty="Not attempted yet."
        columns={[
          { name: 'When', cell: (a) => <Time at={a.at} /> },
          { name: 'Answer', cell: (a) => a.httpStatus ?? a.errorText },
          { name: 'Took', cell: (a) => `${a.durationMs} ms` },
          { name: 'Body', cell: (a) => <code>{a.body}</code> },
        ]}
      />
      {d.status !== 'PENDING' && (
        <May needs="ADMIN">
          <Button look="primary" onClick={() => replay.run({ id: d.id })}>
            Replay
          </Button>
        </May>
      )}
    </Dialog>
  )
}
