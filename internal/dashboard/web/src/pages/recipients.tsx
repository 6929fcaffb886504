import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../button'
import { Select } from '../form'
import { IdentifierField } from '../identifier-field'
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
  onChange,
  onRemove,
}: {
  n: number
  of: Recipient
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
      <IdentifierField
        of={of.kind}
        label={t('recipients.recipientN', { n })}
        at={`to.${n - 1}`}
        value={of.name}
        onChange={(name) => onChange({ name })}
        required
      />
      {of.kind === 'topic' && (
        <IdentifierField
          of="subscriber"
          several
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
