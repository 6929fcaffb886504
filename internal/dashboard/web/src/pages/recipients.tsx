import { Plus, Trash2 } from 'lucide-react'
import { useQuery } from '../api'
import { Button } from '../button'
import { Select, Text } from '../form'
import { RecipientChoicesDocument } from '../gql'
import { removeAt, replaceAt } from '../lists'
import { t } from '../text/text'
import { type Kind, kinds, newRecipient, type Recipient } from './recipient-list'

/** Whom a trigger is for: every subscriber, or subscribers, topics and audiences that are chosen. */
export function Recipients({
  of,
  onChange,
}: {
  of: readonly Recipient[] | undefined
  onChange: (recipients: Recipient[] | undefined) => void
}) {
  const { data } = useQuery(RecipientChoicesDocument, {})
  const choices: Record<Kind, string[] | undefined> = {
    subscriber: data?.subscribers.nodes.map((s) => s.subscriberId),
    topic: data?.topics.nodes.map((topic) => topic.key),
    audience: data?.audiences.nodes.map((a) => a.identifier),
  }
  return (
    <>
      <Select
        label={t('schedule.to')}
        at="to"
        value={of ? 'chosen' : 'everyone'}
        onChange={(v) => onChange(v === 'chosen' ? [newRecipient] : undefined)}
        options={[
          { value: 'everyone', label: t('recipients.everyone') },
          { value: 'chosen', label: t('recipients.chosen') },
        ]}
      />
      {of && (
        <fieldset>
          <legend>{t('recipients.chosen')}</legend>
          {of.map((r, i) => (
            <Row
              key={i}
              n={i + 1}
              of={r}
              choices={choices}
              onChange={(change) => onChange(replaceAt(of, i, { ...r, ...change }))}
              onRemove={of.length > 1 ? () => onChange(removeAt(of, i)) : undefined}
            />
          ))}
          <div>
            <Button icon={Plus} onClick={() => onChange([...of, newRecipient])}>
              {t('recipients.add')}
            </Button>
          </div>
        </fieldset>
      )}
    </>
  )
}

function Row({
  n,
  of,
  choices,
  onChange,
  onRemove,
}: {
  n: number
  of: Recipient
  choices: Record<Kind, string[] | undefined>
  onChange: (change: Partial<Recipient>) => void
  onRemove?: () => void
}) {
  return (
    <div className="filters" role="group" aria-label={t('recipients.recipientN', { n })}>
      <Select
        label={t('recipients.kindN', { n })}
        value={of.kind}
        onChange={(kind) => onChange({ kind: kind as Kind })}
        options={kinds.map((value) => ({ value, label: t(`recipients.kind.${value}`) }))}
      />
      <Text
        label={t('recipients.recipientN', { n })}
        at={`to.${n - 1}`}
        value={of.name}
        onChange={(name) => onChange({ name })}
        choices={choices[of.kind]}
        required
      />
      {of.kind === 'topic' && (
        <Text
          label={t('recipients.exceptN', { n })}
          value={of.except}
          onChange={(except) => onChange({ except })}
          placeholder={t('recipients.exceptHint')}
        />
      )}
      {onRemove && (
        <Button icon={Trash2} aria-label={t('recipients.removeN', { n })} onClick={onRemove}>
          {t('common.remove')}
        </Button>
      )}
    </div>
  )
}
