import { useState } from 'react'
import { Button } from '../button'
import { JSONField } from '../editor/json'
import { t } from '../text/text'
import { Builder, useSubscriberFields } from './builder'
import { ruleOperators } from './operators'
import { type Rule, readRule, writeRule } from './rule'

const noConditions: Rule = { join: 'AND', groups: [] }

/** A rule over subscribers: as conditions, or as the JSON Logic that it is. A rule that conditions cannot say is JSON. */
export function RuleField({
  label,
  at,
  none,
  rule,
  onChange,
}: {
  label: string
  at: string
  none: string
  rule: unknown
  onChange: (rule: unknown) => void
}) {
  const [conditions, setConditions] = useState(() => readRule(rule))
  const fields = useSubscriberFields()
  const read = readRule(rule)
  const change = (next: Rule) => {
    setConditions(next)
    onChange(writeRule(next))
  }
  return (
    <>
      {conditions ? (
        <Builder
          label={label}
          at={at}
          none={none}
          {...conditions}
          onChange={(groups) => change({ ...conditions, groups })}
          onJoin={(join) => change({ ...conditions, join })}
          places={['SUBSCRIBER']}
          operators={ruleOperators}
          fields={{ SUBSCRIBER: fields }}
          required
        />
      ) : (
        <JSONField
          label={label}
          at={at}
          hint={t('rule.hint')}
          value={rule}
          onChange={(changed) => onChange(changed ?? null)}
          lines={8}
          schema="rule"
        />
      )}
      {conditions ? (
        <p className="soft small">{t('rule.values')}</p>
      ) : (
        !read && <p className="soft small">{t('rule.onlyJSON')}</p>
      )}
      <div className="row">
        <Button
          disabled={!conditions && !read}
          onClick={() => setConditions(conditions ? undefined : (read ?? noConditions))}
        >
          {conditions ? t('rule.asJSON') : t('rule.asConditions')}
        </Button>
      </div>
    </>
  )
}
