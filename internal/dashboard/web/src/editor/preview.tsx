import { useEffect, useState } from 'react'
import { request, useQuery } from '../api'
import { Button } from '../button'
import { parseJSON, Unanswered } from '../errors'
import { readJSON } from '../exact'
import { NumberField, Select, Text } from '../form'
import {
  LocalesDocument,
  PastEventsDocument,
  PreviewStepDocument,
  type PreviewStepInput,
  type PreviewStepQuery,
  type WorkflowStepInput,
} from '../gql'
import { part } from '../part'
import { t } from '../text/text'
import { Failure, Time } from '../ui'
import { useAround } from './around'
import { JSONText } from './json'

const Shown = part(() => import('../previews/shown').then((m) => m.default))

/** What the templates of a preview see. */
export type Example = {
  payload: string
  subscriberId: string
  /** How many events a digest before the step has collected; undefined when there is no digest. */
  digestItems?: number
  /** The locale of the translations; '' is the subscriber's. */
  locale?: string
}

type Props = {
  step: WorkflowStepInput
  layout?: string
  /** Sources of snippets in place of the stored ones. */
  snippets?: Record<string, string>
  /** Whether there is a field for the events of a digest. */
  digest?: boolean
  payloadLabel?: string
  payloadHint?: string
  /** Makes the payload when the example has none. */
  payloadSchema?: unknown
  example: Example
  onExample: (e: Example) => void
  /** Whether the message alone is shown, without fields. */
  bare?: boolean
}

/** What a step would send, rendered by the server as sending does, while it is edited. */
export function Preview(props: Props) {
  const { step, bare } = props
  const { shown, error } = usePreview(props)
  return (
    <section className="preview card stack" aria-label={t('preview.preview')}>
      {!bare && <h2>{t('preview.preview')}</h2>}
      <Failure error={error} />
      {!bare && <LocaleChoice example={props.example} onExample={props.onExample} />}
      {shown && !shown.error && <Shown step={step} of={shown} />}
      {!bare && <Sample {...props} used={shown?.payload} />}
    </section>
  )
}

/** After so long a preview that had no answer is asked for again, each time after twice as long, in milliseconds. */
const retry = { first: 2000, most: 30_000 }

/** The rendered step, anew a moment after each change. */
function usePreview({ step, layout, snippets, digest, payloadSchema, example }: Props) {
  const [shown, setShown] = useState<PreviewStepQuery['previewStep']>()
  const [error, setError] = useState<Error>()
  const key = JSON.stringify({
    step,
    layout,
    snippets,
    payloadSchema,
    digestItems: digest ? example.digestItems : undefined,
    subscriberId: example.subscriberId || undefined,
    locale: example.locale || undefined,
  })
  useEffect(() => {
    let wanted = true
    const ask = async (wait: number) => {
      try {
        const { previewStep } = await request(PreviewStepDocument, { input: inputOf(key, example.payload) })
        if (!wanted) return
        setShown(previewStep)
        setError(previewStep.error ? new Error(previewStep.error) : undefined)
      } catch (e) {
        if (!wanted) return
        setError(e as Error)
        if (e instanceof Unanswered) timer = setTimeout(ask, wait, Math.min(2 * wait, retry.most))
      }
    }
    let timer = setTimeout(ask, 300, retry.first)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [key, example.payload])
  return { shown, error }
}

const inputOf = (key: string, payload: string) =>
  ({ ...(readJSON(key) as PreviewStepInput), payload: parseJSON(payload, t('preview.thePayload')) }) as PreviewStepInput

/** The language of what is shown, where there are translations. */
function LocaleChoice({ example, onExample }: Pick<Props, 'example' | 'onExample'>) {
  const { data } = useQuery(LocalesDocument, {})
  const locales = data?.translations.nodes.map((translation) => translation.locale) ?? []
  if (locales.length === 0) return null
  return (
    <Select
      label={t('common.locale')}
      value={example.locale ?? ''}
      onChange={(locale) => onExample({ ...example, locale })}
      options={[
        { value: '', label: t('preview.ofTheSubscriber') },
        ...locales.map((locale) => ({ value: locale, label: locale })),
      ]}
    />
  )
}

/** The data that the preview is made of. */
function Sample({
  digest,
  payloadLabel = t('preview.examplePayload'),
  payloadHint = t('preview.madeFromSchema'),
  payloadSchema,
  example,
  onExample,
  used,
}: Props & { used: unknown }) {
  const { workflow } = useAround()
  const [open, setOpen] = useState(!workflow || example.payload !== '')
  const set = (change: Partial<Example>) => onExample({ ...example, ...change })
  return (
    <details className="sample" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{t('preview.sampleData')}</summary>
      <div className="stack">
        <Text
          label={t('preview.exampleSubscriber')}
          value={example.subscriberId}
          onChange={(subscriberId) => set({ subscriberId })}
          hint={t('preview.ifEmptySampleDataIs')}
        />
        <JSONText
          label={payloadLabel}
          lines={4}
          value={example.payload}
          onChange={(payload) => set({ payload })}
          hint={payloadHint}
          schema={payloadSchema ?? undefined}
        />
        <div className="row">
          {used != null && example.payload === '' && (
            <Button onClick={() => set({ payload: JSON.stringify(used, null, 2) })}>
              {t('preview.editTheSamplePayload')}
            </Button>
          )}
          {workflow && <PastEvents workflow={workflow} onChoose={(payload) => set({ payload })} />}
        </div>
        {digest && (
          <NumberField
            label={t('preview.exampleDigestEvents')}
            value={example.digestItems}
            onChange={(digestItems) => set({ digestItems })}
            hint={t('preview.eachHasTheExamplePayload')}
          />
        )}
      </div>
    </details>
  )
}

/** Takes the payload of one of the last events. */
function PastEvents({ workflow, onChoose }: { workflow: string; onChoose: (payload: string) => void }) {
  const [open, setOpen] = useState(false)
  const { data, error, loading } = useQuery(PastEventsDocument, { workflow }, !open)
  if (!open) return <Button onClick={() => setOpen(true)}>{t('preview.useAPastEvent')}</Button>
  return (
    <div className="stack">
      <Failure error={error} />
      {!loading && data?.events.nodes.length === 0 && <p className="soft small">{t('preview.noEventsYet')}</p>}
      <ul className="bare">
        {data?.events.nodes.map((e) => (
          <li key={e.transactionId}>
            <Button look="plain" onClick={() => onChoose(JSON.stringify(e.payload, null, 2))}>
              <Time at={e.createdAt} /> <code>{e.transactionId}</code>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
