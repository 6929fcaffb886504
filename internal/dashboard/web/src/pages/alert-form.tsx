import { request, useAction } from '../api'
import { pick, useEdited } from '../edited'
import { Check, Form, NumberField, Select, Text } from '../form'
import {
  type AlertCondition,
  type AlertPartsFragment,
  AlertRuleDocument,
  type Channel,
  CreateAlertRuleDocument,
  UpdateAlertRuleDocument,
} from '../gql'
import { IdentifierField } from '../identifier-field'
import { namesOf } from '../lists'
import { Dialog } from '../overlay'
import { t } from '../text/text'
import { words } from '../words'

const conditions: AlertCondition[] = [
  'FAILURE_RATE',
  'UNHEALTHY_INTEGRATION',
  'LAG',
  'NO_MESSAGES',
  'VOLUME',
  'SUBSCRIBER_VOLUME',
]
const channels: Channel[] = ['IN_APP', 'EMAIL', 'SMS', 'CHAT', 'PUSH']
const defaults: Record<AlertCondition, number> = {
  FAILURE_RATE: 10,
  UNHEALTHY_INTEGRATION: 1,
  LAG: 300,
  NO_MESSAGES: 60,
  VOLUME: 10_000,
  SUBSCRIBER_VOLUME: 100,
}

const valuesOf = (r?: AlertPartsFragment) => ({
  name: r?.name ?? '',
  condition: r?.condition ?? ('FAILURE_RATE' as AlertCondition),
  workflow: r?.workflow ?? '',
  integration: r?.integration ?? '',
  channel: r?.channel ?? ('' as Channel | ''),
  threshold: r?.threshold ?? (defaults.FAILURE_RATE as number | undefined),
  recoverBelow: r?.recoverBelow ?? undefined,
  minimum: r?.minimum || (20 as number | undefined),
  windowMinutes: r?.windowMinutes || (15 as number | undefined),
  openAfterMinutes: r?.openAfterMinutes ?? (0 as number | undefined),
  recoverAfterMinutes: r?.recoverAfterMinutes ?? (5 as number | undefined),
  remindAfterMinutes: r?.remindAfterMinutes ?? undefined,
  notifyWorkflow: r?.notifyWorkflow ?? '',
  notifySubscribers: r?.notifySubscribers.join(', ') ?? '',
  notifyTopics: r?.notifyTopics.join(', ') ?? '',
  pause: r?.pause ?? false,
  enabled: r?.enabled ?? true,
})

type Values = ReturnType<typeof valuesOf>

const isWindowed = (condition: AlertCondition) => ['FAILURE_RATE', 'VOLUME', 'SUBSCRIBER_VOLUME'].includes(condition)

/** What the input says of the values that may be changed. */
const inputOf = (v: Values) => ({
  name: v.name,
  threshold: v.threshold,
  recoverBelow: v.recoverBelow ?? null,
  minimum: v.condition === 'FAILURE_RATE' ? v.minimum : undefined,
  windowMinutes: isWindowed(v.condition) ? v.windowMinutes : undefined,
  openAfterMinutes: v.openAfterMinutes,
  recoverAfterMinutes: v.recoverAfterMinutes,
  remindAfterMinutes: v.remindAfterMinutes ?? null,
  notifyWorkflow: v.notifyWorkflow || null,
  notifySubscribers: namesOf(v.notifySubscribers),
  notifyTopics: namesOf(v.notifyTopics),
  pause: isWindowed(v.condition) && v.pause,
  enabled: v.enabled,
})

/** A new alert rule, or a change of one. */
export function AlertForm({
  of: r,
  onClose,
  onDone,
}: {
  of?: AlertPartsFragment
  onClose: () => void
  onDone: () => void
}) {
  const edit = useEdited({
    of: r,
    valuesOf,
    read: async () => r && (await request(AlertRuleDocument, { id: r.id })).alertRule,
    send: async (changes, mine) =>
      r && request(UpdateAlertRuleDocument, { input: { id: r.id, ...pick(inputOf(mine), Object.keys(changes)) } }),
    onSaved: onDone,
  })
  const form = edit.values
  const set =
    <K extends keyof typeof form>(key: K) =>
    (value: (typeof form)[K]) =>
      edit.set({ [key]: value })
  const create = useAction(CreateAlertRuleDocument, onDone)
  const windowed = isWindowed(form.condition)
  const rate = form.condition === 'FAILURE_RATE'
  const narrowed = form.condition !== 'LAG'
  const ofMessages = narrowed && form.condition !== 'UNHEALTHY_INTEGRATION'
  const save = () =>
    r
      ? edit.save()
      : create.run({
          input: {
            ...inputOf(form),
            condition: form.condition,
            workflow: (ofMessages && form.workflow) || undefined,
            integration: (narrowed && form.integration) || undefined,
            channel: (narrowed && form.channel) || undefined,
          },
        })
  return (
    <Dialog title={r ? r.name : t('alert.new')} onClose={onClose}>
      <Form submit={t('common.save')} action={r ? edit : create} onSubmit={save}>
        <Text label={t('common.name')} at="name" value={form.name} onChange={set('name')} required />
        {!r && (
          <>
            <Select
              label={t('alert.condition')}
              at="condition"
              value={form.condition}
              onChange={(value) => {
                const condition = value as AlertCondition
                edit.set({ condition, threshold: defaults[condition], recoverBelow: undefined })
              }}
              options={conditions.map((value) => ({ value, label: t(`alert.of.${value}`) }))}
            />
            {ofMessages && (
              <IdentifierField
                of="workflow"
                label={t('alert.workflow')}
                hint={t('alert.narrowHint')}
                at="workflow"
                value={form.workflow}
                onChange={set('workflow')}
              />
            )}
            {narrowed && (
              <>
                <IdentifierField
                  of="integration"
                  label={t('alert.integration')}
                  at="integration"
                  value={form.integration}
                  onChange={set('integration')}
                />
                <Select
                  label={t('alert.channel')}
                  at="channel"
                  value={form.channel}
                  onChange={(value) => set('channel')(value as Channel | '')}
                  options={[
                    { value: '', label: t('alert.any') },
                    ...channels.map((value) => ({ value, label: words(value) })),
                  ]}
                />
              </>
            )}
          </>
        )}
        <NumberField
          label={t('alert.threshold')}
          hint={t(`alert.unit.${form.condition}`)}
          at="threshold"
          value={form.threshold}
          onChange={set('threshold')}
        />
        <NumberField
          label={t('alert.recoverBelow')}
          hint={t('alert.recoverBelowHint')}
          at="recoverBelow"
          value={form.recoverBelow}
          onChange={set('recoverBelow')}
        />
        {windowed && (
          <NumberField
            label={t('alert.window')}
            at="windowMinutes"
            value={form.windowMinutes}
            onChange={set('windowMinutes')}
          />
        )}
        {rate && (
          <NumberField
            label={t('alert.minimum')}
            hint={t('alert.minimumHint')}
            at="minimum"
            value={form.minimum}
            onChange={set('minimum')}
          />
        )}
        <NumberField
          label={t('alert.openAfter')}
          at="openAfterMinutes"
          value={form.openAfterMinutes}
          onChange={set('openAfterMinutes')}
        />
        <NumberField
          label={t('alert.recoverAfter')}
          at="recoverAfterMinutes"
          value={form.recoverAfterMinutes}
          onChange={set('recoverAfterMinutes')}
        />
        <NumberField
          label={t('alert.remindAfter')}
          hint={t('alert.remindHint')}
          at="remindAfterMinutes"
          value={form.remindAfterMinutes}
          onChange={set('remindAfterMinutes')}
        />
        <IdentifierField
          of="workflow"
          label={t('alert.notifyWorkflow')}
          hint={t('alert.notifyHint')}
          at="notifyWorkflow"
          value={form.notifyWorkflow}
          onChange={set('notifyWorkflow')}
        />
        <IdentifierField
          of="subscriber"
          several
          label={t('alert.subscribers')}
          hint={t('settings.separatedByCommas')}
          at="notifySubscribers"
          value={form.notifySubscribers}
          onChange={set('notifySubscribers')}
        />
        <IdentifierField
          of="topic"
          several
          label={t('alert.topics')}
          hint={t('settings.separatedByCommas')}
          at="notifyTopics"
          value={form.notifyTopics}
          onChange={set('notifyTopics')}
        />
        {windowed && (
          <Check
            label={t(form.condition === 'SUBSCRIBER_VOLUME' ? 'alert.pauseSubscribers' : 'alert.pause')}
            at="pause"
            value={form.pause}
            onChange={set('pause')}
          />
        )}
        <Check label={t('common.enabled')} value={form.enabled} onChange={set('enabled')} />
      </Form>
    </Dialog>
  )
}
