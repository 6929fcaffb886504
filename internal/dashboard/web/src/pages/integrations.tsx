import { CircleCheck, Plus, RefreshCw, Star } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { Filters } from '../conditions/builder'
import { useEdited } from '../edited'
import { toFilters } from '../editor/definition'
import { JSONField } from '../editor/json'
import { Check, Form, Select, Switch, Text } from '../form'
import {
  type BreakerState,
  type Channel,
  CreateIntegrationDocument,
  DeleteIntegrationDocument,
  IntegrationDocument,
  type IntegrationQuery,
  IntegrationsDocument,
  ProvidersDocument,
  type ProvidersQuery,
  ResetBreakerDocument,
  SetPrimaryIntegrationDocument,
  UpdateIntegrationDocument,
} from '../gql'
import { discard } from '../marks'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Badge, Card, Facts, Failure, Load, Page, Pager, Status, Table, Time, type Tone } from '../ui'
import { words } from '../words'
import { credentialsOf, mask, namedCredentials, rateText, toCredentialsInput, toRateLimit } from './credentials'
import { TestMessage } from './integration-test'

const breakerTones: Record<BreakerState, Tone> = { CLOSED: 'good', OPEN: 'bad', HALF_OPEN: 'wait' }

/** Whether an integration works; one that is switched off is neither well nor ill. */
const State = ({ of: i }: { of: { active: boolean; breaker: BreakerState } }) =>
  i.active ? (
    <Badge tone={breakerTones[i.breaker]}>{t(`integrations.breaker.${i.breaker}`)}</Badge>
  ) : (
    <Badge>{t('common.off')}</Badge>
  )

const channels: Channel[] = ['EMAIL', 'SMS', 'CHAT', 'PUSH', 'IN_APP']

type Provider = ProvidersQuery['providers'][number]
type Credentials = Record<string, unknown>

export function Integrations() {
  const { get, set } = useFilters()
  const channel = get('channel')
  const pager = usePager()
  const query = useQuery(IntegrationsDocument, {
    ...pager.variables,
    filter: { channelIn: channel ? [channel as Channel] : undefined },
  })
  const update = useAction(UpdateIntegrationDocument, query.reload)
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title={t('word.INTEGRATIONS')}
      actions={
        <>
          <Button icon={RefreshCw} onClick={query.reload}>
            {t('common.refresh')}
          </Button>
          <May needs="ADMIN">
            <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
              {t('integrations.newIntegration')}
            </Button>
          </May>
        </>
      }
    >
      <Card>
        <Select
          label={t('common.channel')}
          value={channel}
          onChange={set('channel')}
          options={[{ value: '', label: t('common.any') }, ...channels]}
        />
      </Card>
      <Card>
        <Failure error={update.error} />
        <Load of={query}>
          {({ integrations }) => (
            <>
              <Table
                filtered={channel !== ''}
                label={t('word.INTEGRATIONS')}
                empty={t('integrations.noIntegrationsMessagesOfThis')}
                rows={integrations.nodes}
                id={(i) => i.id}
                columns={[
                  {
                    name: t('common.name'),
                    cell: (i) => <Link href={`/integrations/${i.id}`}>{i.name || i.identifier}</Link>,
                  },
                  { name: t('common.provider'), cell: (i) => i.providerId },
                  { name: t('common.channel'), cell: (i) => words(i.channel) },
                  {
                    name: t('common.state'),
                    cell: (i) => (
                      <span className="row">
                        <State of={i} />
                        {i.primary && <Badge>{t('integrations.primary')}</Badge>}
                      </span>
                    ),
                  },
                  {
                    name: t('integrations.rate'),
                    cell: (i) => rateText(i),
                  },
                  {
                    name: t('common.enabled'),
                    cell: (i) => (
                      <Switch
                        label={t('integrations.nIsEnabled', { n: i.name || i.identifier })}
                        needs="ADMIN"
                        on={i.active}
                        busy={update.busy}
                        onChange={(active) => update.run({ input: { id: i.id, active } })}
                      />
                    ),
                  },
                ]}
              />
              <Pager label={t('word.INTEGRATIONS')} pager={pager} info={integrations.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const providers = useQuery(ProvidersDocument, {})
  const [channel, setChannel] = useState('EMAIL')
  const [id, setID] = useState('')
  const [name, setName] = useState('')
  const [credentials, setCredentials] = useState<Credentials>({})
  const [, go] = useLocation()
  const create = useAction(CreateIntegrationDocument, (r) => go(`/integrations/${r.createIntegration.integration.id}`))
  return (
    <Dialog title={t('integrations.newIntegration')} onClose={onClose}>
      <Load of={providers}>
        {({ providers }) => {
          const choices = providers.filter((p) => p.channel === channel)
          const provider = choices.find((p) => p.id === id) ?? choices[0]
          return (
            <Form
              needs="ADMIN"
              submit={t('common.create')}
              action={create}
              onSubmit={() =>
                provider &&
                create.run({
                  input: { providerId: provider.id, name: name || provider.name, credentials, active: true },
                })
              }
            >
              <Select
                label={t('common.channel')}
                value={channel}
                onChange={(c) => {
                  setChannel(c)
                  setCredentials({})
                }}
                options={channels}
              />
              <Select
                label={t('common.provider')}
                value={provider?.id ?? ''}
                onChange={(p) => {
                  setID(p)
                  setCredentials({})
                }}
                options={choices.map((p) => ({ value: p.id, label: p.name }))}
              />
              <Text label={t('common.name')} at="name" value={name} onChange={setName} placeholder={provider?.name} />
              {provider && <CredentialFields provider={provider} values={credentials} onChange={setCredentials} />}
            </Form>
          )
        }}
      </Load>
    </Dialog>
  )
}

/** The fields that a provider asks for, as its registry entry says. */
function CredentialFields({
  provider,
  values,
  onChange,
  stored = false,
}: {
  provider: Provider
  values: Credentials
  onChange: (v: Credentials) => void
  /** Whether they are an integration's that there is already. */
  stored?: boolean
}) {
  const holdsSecrets = provider.credentials?.some((f) => f.secret && values[f.name] === mask)
  return (
    <>
      {provider.credentials?.map((f) => {
        const value = values[f.name]
        const set = (v: unknown) => onChange({ ...values, [f.name]: v })
        const label = f.label || f.name
        const at = `credentials.${f.name}`
        if (f.kind === 'BOOL') return <Check key={f.name} label={label} at={at} value={value === true} onChange={set} />
        if (f.options?.length)
          return (
            <Select
              key={f.name}
              label={label}
              at={at}
              value={String(value ?? f.default)}
              onChange={set}
              options={[{ value: '', label: '–' }, ...f.options.map((o) => ({ value: o, label: o }))]}
            />
          )
        if (f.kind === 'OBJECT')
          return (
            <JSONField
              key={f.name}
              label={label}
              at={at}
              value={value}
              onChange={set}
              hint={stored ? t('integrations.storedValuesAreNotShown') : undefined}
            />
          )
        return (
          <Text
            key={f.name}
            at={at}
            label={f.required ? t('integrations.required', { label }) : label}
            type={f.secret && f.kind !== 'TEXT' ? 'password' : 'text'}
            autoComplete="off"
            lines={f.kind === 'TEXT' ? 4 : undefined}
            value={typeof value === 'string' ? value : ''}
            placeholder={f.default}
            hint={
              f.destination && holdsSecrets
                ? t('integrations.secretsAgain')
                : f.requiredIf
                  ? t('integrations.requiredIf', { condition: f.requiredIf })
                  : undefined
            }
            onChange={set}
          />
        )
      })}
    </>
  )
}

export function IntegrationPage({ id }: { id: string }) {
  const query = useQuery(IntegrationDocument, { id })
  const providers = useQuery(ProvidersDocument, {})
  return (
    <Load of={query} title={t('word.INTEGRATION')}>
      {({ integration }) => (
        <Load of={providers} title={integration.name || integration.identifier}>
          {(p) => (
            <Integration
              i={integration}
              provider={p.providers.find((p) => p.id === integration.providerId)}
              reload={query.reload}
            />
          )}
        </Load>
      )}
    </Load>
  )
}

const valuesOf = (provider?: Provider) => (i: IntegrationQuery['integration']) => ({
  name: i.name,
  rateLimit: i.rateLimit == null ? '' : String(i.rateLimit),
  configurations: {
    inboundWebhookEnabled: i.configurations?.inboundWebhookEnabled ?? false,
    inboundWebhookSigningKey: i.configurations?.inboundWebhookSigningKey ?? '',
  },
  conditions: toFilters(i.conditions),
  ...namedCredentials(toCredentialsInput(provider?.credentials ?? [], i.credentials)),
})

function Integration({
  i,
  provider,
  reload,
}: {
  i: IntegrationQuery['integration']
  provider?: Provider
  reload: () => void
}) {
  const [, go] = useLocation()
  const form = useEdited({
    of: i,
    valuesOf: valuesOf(provider),
    read: () => request(IntegrationDocument, { id: i.id }).then((r) => r.integration),
    send: ({ name, rateLimit, configurations, conditions, ...changed }) =>
      request(UpdateIntegrationDocument, {
        input: {
          id: i.id,
          name,
          rateLimit: rateLimit === undefined ? undefined : toRateLimit(rateLimit),
          credentials: credentialsOf(changed),
          conditions,
          configurations,
        },
      }),
    onSaved: reload,
  })
  const { name, rateLimit, configurations, conditions, ...rest } = form.values
  const toggle = useAction(UpdateIntegrationDocument, reload)
  const primary = useAction(SetPrimaryIntegrationDocument, reload)
  const reset = useAction(ResetBreakerDocument, reload)
  const remove = useAction(DeleteIntegrationDocument, () => {
    discard()
    go('/integrations')
  })
  const setConfiguration = (change: Partial<typeof configurations>) =>
    form.set({ configurations: { ...configurations, ...change } })
  return (
    <Page
      title={i.name || i.identifier}
      actions={
        <>
          <Switch
            label={t('integrations.integrationIsEnabled')}
            needs="ADMIN"
            on={i.active}
            busy={toggle.busy}
            onChange={(active) => toggle.run({ input: { id: i.id, active } })}
          />
          {!i.primary && (i.channel === 'EMAIL' || i.channel === 'SMS') && (
            <May needs="ADMIN">
              <Button icon={Star} disabled={primary.busy} onClick={() => primary.run({ id: i.id })}>
                {t('integrations.makePrimary')}
              </Button>
            </May>
          )}
          <Confirm
            needs="ADMIN"
            label={t('common.delete')}
            question={t('integrations.deleteTheIntegrationN', { n: i.name || i.identifier })}
            busy={remove.busy}
            onConfirm={() => remove.run({ id: i.id })}
          />
        </>
      }
    >
      <Failure error={toggle.error ?? primary.error ?? remove.error ?? reset.error} />
      <div className="cols">
        <Card title={t('common.settings')}>
          <Form needs="ADMIN" submit={t('common.save')} action={form} onSubmit={form.save}>
            <Text label={t('common.name')} at="name" value={name} onChange={(name) => form.set({ name })} />
            {provider && (
              <CredentialFields
                provider={provider}
                values={credentialsOf(rest) ?? {}}
                onChange={(credentials) => form.set(namedCredentials(credentials))}
                stored
              />
            )}
            <Text
              label={t('integrations.rateLimitRequestsPerSecond')}
              at="rateLimit"
              type="number"
              step="any"
              value={rateLimit}
              onChange={(rateLimit) => form.set({ rateLimit })}
              hint={t('integrations.ifEmptyUnlimited')}
            />
            {provider?.capabilities.receipts && (
              <Check
                label={t('integrations.acceptDeliveryReceipts')}
                at="configurations.inboundWebhookEnabled"
                value={configurations.inboundWebhookEnabled}
                onChange={(inboundWebhookEnabled) => setConfiguration({ inboundWebhookEnabled })}
              />
            )}
            {provider?.capabilities.receipts && configurations.inboundWebhookEnabled && (
              <Text
                label={t('integrations.signingKeyOfReceipts')}
                at="configurations.inboundWebhookSigningKey"
                type="password"
                autoComplete="off"
                value={configurations.inboundWebhookSigningKey}
                onChange={(inboundWebhookSigningKey) => setConfiguration({ inboundWebhookSigningKey })}
                hint={t('integrations.theProviderSSigningSecret')}
              />
            )}
            <Filters
              label={t('common.conditions')}
              at="conditions"
              filters={conditions}
              onChange={(conditions) => form.set({ conditions })}
              none={t('integrations.noConditions')}
            />
            <Status>{form.saved && t('common.saved')}</Status>
          </Form>
        </Card>
        <div className="stack">
          <Card title={t('common.state')} actions={<State of={i} />}>
            <Facts
              of={{
                [t('common.provider')]: provider?.name ?? i.providerId,
                [t('common.channel')]: words(i.channel),
                [t('common.identifier')]: <code>{i.identifier}</code>,
                [t('integrations.fact.primary')]: i.primary ? t('common.yes') : t('common.no'),
                [t('integrations.fact.failures')]: i.breakerFailures,
                [t('integrations.fact.cause')]: i.breakerCause,
                [t('integrations.fact.opened')]: i.breakerOpenedAt && <Time at={i.breakerOpenedAt} />,
                [t('integrations.fact.nextProbe')]: i.breakerProbeAt && <Time at={i.breakerProbeAt} />,
                [t('integrations.fact.receiptURL')]: i.inboundPath && <code>{i.inboundPath}</code>,
              }}
            />
            {i.breaker !== 'CLOSED' && (
              <May needs="ADMIN">
                <div className="row">
                  <Button icon={CircleCheck} disabled={reset.busy} onClick={() => reset.run({ id: i.id })}>
                    {t('integrations.closeCircuit')}
                  </Button>
                </div>
              </May>
            )}
          </Card>
          <May needs="ADMIN">
            <TestMessage id={i.id} channel={i.channel} />
          </May>
        </div>
      </div>
    </Page>
  )
}
