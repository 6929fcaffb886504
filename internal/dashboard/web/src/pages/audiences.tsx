import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { RuleField } from '../conditions/rule-field'
import { textsOf, useEdited } from '../edited'
import { Form, NumberField, Text } from '../form'
import {
  AudienceDocument,
  AudiencePreviewDocument,
  type AudiencePreviewInput,
  type AudienceQuery,
  AudiencesDocument,
  CreateAudienceDocument,
  DeleteAudienceDocument,
  TriggerAudienceDocument,
  UpdateAudienceDocument,
} from '../gql'
import { IdentifierField } from '../identifier-field'
import { discard } from '../marks'
import { Once } from '../once'
import { Confirm } from '../overlay'
import { Payload } from '../payload/fields'
import { May } from '../role'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Card, Failure, Load, Note, Page, Pager, Status, Table, Time } from '../ui'
import { BroadcastEvent } from './broadcasts'

/** The saved filters over subscribers. */
export function Audiences() {
  const pager = usePager()
  const query = useQuery(AudiencesDocument, pager.variables)
  return (
    <Page
      title={t('nav.audiences')}
      actions={
        <May>
          <Link href="/audiences/new" className="button primary">
            <Plus aria-hidden className="icon" />
            {t('audience.new')}
          </Link>
        </May>
      }
    >
      <Card>
        <Load of={query}>
          {({ audiences }) => (
            <>
              <Table
                label={t('nav.audiences')}
                rows={audiences.nodes}
                id={(a) => a.id}
                empty={t('audience.none')}
                columns={[
                  {
                    name: t('audience.identifier'),
                    cell: (a) => <Link href={`/audiences/${encodeURIComponent(a.identifier)}`}>{a.identifier}</Link>,
                  },
                  { name: t('common.name'), cell: (a) => a.name ?? '–' },
                  { name: t('common.topic'), cell: (a) => a.topicKey ?? '–' },
                  { name: t('common.created'), cell: (a) => <Time at={a.createdAt} /> },
                ]}
              />
              <Pager label={t('nav.audiences')} pager={pager} info={audiences.pageInfo} />
            </>
          )}
        </Load>
      </Card>
    </Page>
  )
}

/** A new audience. */
export function NewAudience() {
  return <Edit />
}

/** One audience: its filter, whom it chooses now, and a trigger to it. */
export function AudiencePage({ identifier }: { identifier: string }) {
  const query = useQuery(AudienceDocument, { identifier })
  return (
    <Load of={query} title={identifier}>
      {({ audienceByIdentifier }) => <Edit of={audienceByIdentifier} />}
    </Load>
  )
}

const valuesOf = (of?: AudienceQuery['audienceByIdentifier']) => ({
  identifier: of?.identifier ?? '',
  name: of?.name ?? '',
  topicKey: of?.topicKey ?? '',
  rule: (of?.rule ?? null) as unknown,
})

function Edit({ of }: { of?: AudienceQuery['audienceByIdentifier'] }) {
  const [, go] = useLocation()
  const [sent, setSent] = useState<string>()
  const [tried, setTried] = useState<AudiencePreviewInput>()
  const form = useEdited({
    of,
    valuesOf,
    read: async () => of && (await request(AudienceDocument, { identifier: of.identifier })).audienceByIdentifier,
    send: async ({ rule, ...texts }) =>
      of && request(UpdateAudienceDocument, { input: { id: of.id, ...textsOf(texts), rule } }),
    onSaved: () => {},
  })
  const { identifier, name, topicKey, rule } = form.values
  const filter: AudiencePreviewInput = { topicKey: topicKey || null, rule }
  const create = useAction(CreateAudienceDocument, (r) => {
    discard()
    go(`/audiences/${encodeURIComponent(r.createAudience.audience.identifier)}`)
  })
  const remove = useAction(DeleteAudienceDocument, () => {
    discard()
    go('/audiences')
  })
  const add = () => create.run({ input: { identifier, name: name || undefined, ...filter } })
  return (
    <Page
      title={of ? of.name || of.identifier : t('audience.new')}
      actions={
        of && (
          <Confirm
            label={t('common.delete')}
            question={t('audience.deleteQuestion')}
            busy={remove.busy}
            onConfirm={() => remove.run({ id: of.id })}
          />
        )
      }
    >
      <Failure error={remove.error} />
      <div className="cols">
        <Card title={t('audience.filter')}>
          <Form submit={t('common.save')} action={of ? form : create} onSubmit={of ? form.save : add}>
            <Text
              label={t('audience.identifier')}
              at="identifier"
              value={identifier}
              onChange={(identifier) => form.set({ identifier })}
              readOnly={!!of}
              required
            />
            <Text label={t('common.name')} at="name" value={name} onChange={(name) => form.set({ name })} />
            <Text
              label={t('common.topic')}
              hint={t('audience.topicHint')}
              at="topicKey"
              value={topicKey}
              onChange={(topicKey) => form.set({ topicKey })}
            />
            <RuleField
              label={t('audience.rule')}
              at="rule"
              none={t('audience.noRule')}
              rule={rule}
              onChange={(rule) => form.set({ rule })}
            />
            <Status>{form.saved && t('common.saved')}</Status>
          </Form>
          <div className="row end">
            <Button onClick={() => setTried(filter)}>{t('audience.preview')}</Button>
          </div>
        </Card>
        {tried && <Preview of={tried} />}
        {of && <Send to={of.identifier} changed={form.changed} onSent={setSent} />}
      </div>
      {sent && (
        <Card title={t('broadcast.progress')}>
          <BroadcastEvent id={sent} key={sent} />
        </Card>
      )}
    </Page>
  )
}

function Preview({ of }: { of: AudiencePreviewInput }) {
  const query = useQuery(AudiencePreviewDocument, { input: of })
  return (
    <Card title={t('audience.preview')}>
      <Load of={query}>
        {({ audiencePreview: p }) => (
          <>
            <p>
              {p.exact
                ? t('audience.chooses', { n: p.count })
                : t('audience.choosesMore', {
                    n: p.count,
                    examined: p.examined,
                  })}
            </p>
            <Table
              label={t('audience.samples')}
              rows={p.samples}
              id={(s) => s.id}
              empty={t('audience.unmatched')}
              columns={[
                {
                  name: t('common.subscriber'),
                  cell: (s) => (
                    <Link href={`/subscribers/${encodeURIComponent(s.subscriberId)}`}>{s.subscriberId}</Link>
                  ),
                },
                { name: t('common.name'), cell: (s) => [s.firstName, s.lastName].filter(Boolean).join(' ') || '–' },
                { name: t('word.EMAIL'), cell: (s) => s.email ?? '–' },
              ]}
            />
          </>
        )}
      </Load>
    </Card>
  )
}

/** Triggers a workflow for an audience as it is stored, once the page says the same. */
function Send({ to, changed, onSent }: { to: string; changed: boolean; onSent: (event?: string) => void }) {
  const [workflow, setWorkflow] = useState('')
  const [payload, setPayload] = useState<unknown>({})
  const [perSecond, setPerSecond] = useState<number>()
  const [wrong, setWrong] = useState<Error>()
  const [earlier, setEarlier] = useState('') // the transaction of a trigger that was accepted, though its answer was lost
  const [once] = useState(() => new Once())
  const trigger = useAction(
    TriggerAudienceDocument,
    ({ triggerEvent: { result } }) => {
      onSent(result.event?.internalId)
      setEarlier(result.status === 'PROCESSED' && !result.event ? (result.transactionId ?? '') : '')
      setWrong(
        result.status === 'PROCESSED' ? undefined : new Error([result.status, ...(result.error ?? [])].join(': ')),
      )
    },
    (document, { input }) =>
      once.send(input, (transactionId) => request(document, { input: { ...input, transactionId } })),
  )
  const send = () => {
    onSent(undefined)
    setWrong(undefined)
    setEarlier('')
    void trigger.run({ input: { name: workflow, to: [{ audience: to }], payload, perSecond } })
  }
  return (
    <May>
      <Card title={t('audience.send')}>
        <Form
          submit={t('audience.send')}
          action={{ busy: trigger.busy || changed, error: wrong ?? trigger.error }}
          onSubmit={send}
        >
          <IdentifierField
            of="workflow"
            label={t('common.workflow')}
            at="name"
            value={workflow}
            onChange={setWorkflow}
            required
          />
          <Payload workflow={workflow} payload={payload} onChange={setPayload} />
          <NumberField
            label={t('repair.perSecond')}
            hint={t('broadcast.paceHint')}
            at="perSecond"
            value={perSecond}
            onChange={setPerSecond}
          />
          {changed && <Note tone="wait">{t('audience.saveFirst')}</Note>}
        </Form>
        <Status>
          {earlier && (
            <>
              {rich('workflowtest.accepted', { transaction: <code>{earlier}</code> })}{' '}
              <Link href={`/activity?transaction=${encodeURIComponent(earlier)}`}>
                {t('workflowtest.viewInActivity')}
              </Link>
            </>
          )}
        </Status>
      </Card>
    </May>
  )
}
