import { useState } from 'react'
import { useAction } from '../api'
import { Check, Form, NumberField, Select, Text } from '../form'
import {
  type AlertCondition,
  type AlertPartsFragment,
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
  const [form, setForm] = useState({
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
  const set =
    <K extends keyof typeof form>(key: K) =>
    (value: (typeof form)[K]) =>
      setForm((old) => ({ ...old, [key]: value }))
  const create = useAction(CreateAlertRuleDocument, onDone)
  const update = useAction(UpdateAlertRuleDocument, onDone)
  const windowed = ['FAILURE_RATE', 'VOLUME', 'SUBSCRIBER_VOLUME'].includes(form.condition)
  const rate = form.condition === 'FAILURE_RATE'
  const said = {
    name: form.name,
    threshold: form.threshold,
    recoverBelow: form.recoverBelow ?? null,
    minimum: rate ? form.minimum : undefined,
    windowMinutes: windowed ? form.windowMinutes : undefined,
    openAfterMinutes: form.openAfterMinutes,
    recoverAfterMinutes: form.recoverAfterMinutes,
    remindAfterMinutes: form.remindAfterMinutes ?? null,
    notifyWorkflow: form.notifyWorkflow || null,
    notifySubscribers: namesOf(form.notifySubscribers),
    notifyTopics: namesOf(form.notifyTopics),
    pause: windowed && form.pause,
    enabled: form.enabled,
  }
  const narrowed = form.condition !== 'LAG'
  const ofMessages = narrowed && form.condition !== 'UNHEALTHY_INTEGRATION'
  const save = () =>
    r
      ? update.run({ input: { id: r.id, ...said } })
      : create.run({
          input: {
            ...said,
            condition: form.condition,
            workflow: (ofMessages && form.workflow) || undefined,
            integration: (narrowed && form.integration) || undefined,
            channel: (narrowed && form.channel) || undefined,
          },
        })
  return (
    <Dialog title={r ? r.name : t('alert.new')} onClose={onClose}>
      <Form submit={t('common.save')} action={r ? update : create} onSubmit={save}>
        <Text label={t('common.name')} at="name" value={form.name} onChange={set('name')} required />
        {!r && (
          <>
            <Select
              label={t('alert.condition')}
              at="condition"
              value={form.condition}
              onChange={(value) => {
                const condition = value as AlertCondition
                setForm((old) => ({ ...old, condition, threshold: defaults[condition], recoverBelow: undefined }))
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
