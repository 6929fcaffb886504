import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { useFilters, usePager } from '../address'
import { request, useAction, useActionOnce, useQuery } from '../api'
import { Button } from '../button'
import { useEdited } from '../edited'
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
  WebhookEndpointDocument,
  type WebhookEndpointQuery,
  WebhookEndpointsDocument,
  type WebhookEndpointsQuery,
  type WebhookEventType,
} from '../gql'
import { IdentifierField } from '../identifier-field'
import { include, namesOf } from '../lists'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Badge, Card, Failure, Fresh, JSONView, Load, Note, Page, Pager, Table, Time, type Tone } from '../ui'
import { words } from '../words'

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
      title={t('nav.webhooks')}
      actions={
        <May needs="ADMIN">
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('webhook.new')}
          </Button>
        </May>
      }
    >
      <Failure error={ping.error ?? remove.error ?? rotate.error} />
      <Load of={query}>
        {({ webhookEndpoints }) => (
          <>
            <Card title={t('webhook.endpoints')}>
              <Fresh what={t('webhook.secret')} secret={fresh} key={fresh} />
              <Table
                label={t('webhook.list')}
                rows={webhookEndpoints.nodes}
                id={(e) => e.id}
                empty={t('webhook.none')}
                columns={[
                  {
                    name: t('webhook.url'),
                    cell: (e) => (
                      <span>
                        <code>{e.url}</code> {e.description}
                      </span>
                    ),
                  },
                  {
                    name: t('webhook.events'),
                    cell: (e) => (e.eventTypes.length ? e.eventTypes.map(words).join(', ') : t('webhook.all')),
                  },
                  { name: t('common.status'), cell: (e) => <State of={e} /> },
                  {
                    name: '',
                    cell: (e) => (
                      <May needs="ADMIN">
                        <span className="row">
                          <Button disabled={!e.active} onClick={() => ping.run({ id: e.id })}>
                            {t('webhook.ping')}
                          </Button>
                          <Button
                            icon={Pencil}
                            onClick={() => setEdited(e)}
                            aria-label={t('webhook.changeOf', { url: e.url })}
                          >
                            {t('common.change')}
                          </Button>
                          <Confirm
                            label={t('webhook.rotate')}
                            look=""
                            needs="ADMIN"
                            question={t('webhook.rotateQuestion')}
                            onConfirm={() => rotate.run({ input: { id: e.id } })}
                          />
                          <Confirm
                            label={t('common.delete')}
                            needs="ADMIN"
                            question={t('webhook.deleteQuestion', { url: e.url })}
                            onConfirm={() => remove.run({ id: e.id })}
                          />
                        </span>
                      </May>
                    ),
                  },
                ]}
              />
              <Pager label={t('webhook.list')} pager={pager} info={webhookEndpoints.pageInfo} />
            </Card>
            <Deliveries endpoints={webhookEndpoints.nodes} />
          </>
        )}
      </Load>
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
        <Badge tone="wait">{t('webhook.failing')}</Badge> {t('webhook.since')} <Time at={e.failingSince} precise />
      </span>
    )
  if (e.active) return <Badge tone="good">{t('webhook.active')}</Badge>
  return (
    <span>
      <Badge tone="bad">{t('webhook.inactive')}</Badge> {e.disabledReason}
    </span>
  )
}

type Settings = WebhookEndpointQuery['webhookEndpoint']

/** A new endpoint, or a change of one. */
function Change({ of: e, onClose, onDone }: { of?: Endpoint; onClose: () => void; onDone: (secret?: string) => void }) {
  const form = useEdited({
    of: e,
    valuesOf: (e?: Settings) => ({
      url: e?.url ?? '',
      description: e?.description ?? '',
      eventTypes: e?.eventTypes ?? [],
      workflows: e?.workflows.join(', ') ?? '',
      ordered: e?.ordered ?? false,
      active: e?.active ?? true,
    }),
    read: async () => e && (await request(WebhookEndpointDocument, { id: e.id })).webhookEndpoint,
    send: async ({ workflows, ...changes }) =>
      e &&
      request(UpdateWebhookEndpointDocument, {
        input: { id: e.id, ...changes, workflows: workflows === undefined ? undefined : namesOf(workflows) },
      }),
    onSaved: () => onDone(),
  })
  const { active, ...settings } = form.values
  const { url, description, eventTypes, workflows, ordered } = settings
  const create = useActionOnce(CreateWebhookEndpointDocument, (r) => onDone(r.createWebhookEndpoint.secret))
  const save = () => (e ? form.save() : create.run({ input: { ...settings, workflows: namesOf(workflows) } }))
  return (
    <Dialog title={t(e ? 'webhook.changeTitle' : 'webhook.new')} onClose={onClose}>
      <Form submit={t(e ? 'common.save' : 'common.create')} action={e ? form : create} onSubmit={save}>
        <Text
          label={t('webhook.url')}
          at="url"
          value={url}
          onChange={(url) => form.set({ url })}
          required
          placeholder="https://example.com/carillon"
        />
        <Text
          label={t('webhook.description')}
          at="description"
          value={description}
          onChange={(description) => form.set({ description })}
        />
        <fieldset>
          <legend>{t('webhook.eventsNone')}</legend>
          {types.map((type) => (
            <Check
              key={type}
              label={words(type)}
              value={eventTypes.includes(type)}
              onChange={(on) => form.set({ eventTypes: include([...eventTypes], type, on) })}
            />
          ))}
        </fieldset>
        <IdentifierField
          of="workflow"
          several
          label={t('nav.workflows')}
          at="workflows"
          value={workflows}
          onChange={(workflows) => form.set({ workflows })}
          hint={t('webhook.workflowsHint')}
        />
        <Check
          label={t('webhook.ordered')}
          at="ordered"
          value={ordered}
          onChange={(ordered) => form.set({ ordered })}
        />
        {e && <Check label={t('word.ACTIVE')} at="active" value={active} onChange={(active) => form.set({ active })} />}
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
    setReplayed(t('webhook.replayed', { n: r.replayWebhookDeliveries.count }))
    query.reload()
  })
  return (
    <Card
      title={t('webhook.deliveries')}
      actions={
        <>
          <Button onClick={query.reload}>{t('common.refresh')}</Button>
          {endpointId && (
            <Confirm
              label={t('webhook.replayFailed')}
              look=""
              needs="ADMIN"
              question={t('webhook.replayQuestion')}
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
          label={t('webhook.endpoint')}
          value={endpointId}
          onChange={set('endpoint')}
          options={[{ value: '', label: t('webhook.all') }, ...endpoints.map((e) => ({ value: e.id, label: e.url }))]}
        />
        <Select
          label={t('common.status')}
          value={status}
          onChange={set('status')}
          options={[{ value: '', label: t('webhook.all') }, 'PENDING', 'DELIVERED', 'FAILED']}
        />
      </div>
      <Load of={query}>
        {({ webhookDeliveries }) => (
          <>
            <Table
              label={t('webhook.deliveriesOf')}
              rows={webhookDeliveries.nodes}
              id={(d) => d.id}
              empty={t('webhook.noMatch')}
              columns={[
                { name: t('common.when'), cell: (d) => <Time at={d.createdAt} /> },
                { name: t('webhook.event'), cell: (d) => words(d.eventType) },
                { name: t('common.status'), cell: (d) => <Badge tone={tones[d.status]}>{words(d.status)}</Badge> },
                { name: t('webhook.attempts'), cell: (d) => d.attempts },
                { name: t('webhook.next'), cell: (d) => <Time at={d.dueAt} /> },
                {
                  name: '',
                  cell: (d) => (
                    <Button
                      look="plain"
                      onClick={() => setShown(d)}
                      aria-label={t('webhook.showOf', { id: d.internalId })}
                    >
                      {t('webhook.show')}
                    </Button>
                  ),
                },
              ]}
            />
            <Pager label={t('webhook.deliveriesOf')} pager={pager} info={webhookDeliveries.pageInfo} />
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
    <Dialog title={t('webhook.delivery', { id: d.internalId })} onClose={onClose}>
      <Failure error={replay.error} />
      <JSONView label={t('common.body')} value={d.payload} />
      <Table
        label={t('webhook.attempts')}
        rows={d.attemptLog}
        id={(a) => String(a.number)}
        empty={t('webhook.unattempted')}
        columns={[
          { name: t('common.when'), cell: (a) => <Time at={a.at} /> },
          { name: t('webhook.answer'), cell: (a) => a.httpStatus ?? a.errorText },
          { name: t('webhook.took'), cell: (a) => `${a.durationMs} ms` },
          { name: t('common.body'), cell: (a) => <code>{a.body}</code> },
        ]}
      />
      {d.status !== 'PENDING' && (
        <May needs="ADMIN">
          <Button look="primary" onClick={() => replay.run({ id: d.id })}>
            {t('webhook.replay')}
          </Button>
        </May>
      )}
    </Dialog>
  )
}
