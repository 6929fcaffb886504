import type { DelayType, DigestType, FilterOn, FilterOperator, FilterValue, HttpMethod, InAppControlsInput, StepFilterInput, TimeUnit, WorkflowStepInput } from '../gql'
import { Check, Select, Text } from '../ui'

const units: TimeUnit[] = ['SECONDS', 'MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS']

function Amount({ label, amount, unit, onChange }: { label: string; amount?: number | null; unit?: TimeUnit | null; onChange: (change: { amount?: number; unit?: TimeUnit }) => void }) {
  return (
    <div className="filters">
      <Text label={label} type="number" value={amount == null ? '' : String(amount)} onChange={(v) => onChange({ amount: v === '' ? undefined : Number(v) })} />
      <Select label={`${label}: unit`} value={unit ?? 'SECONDS'} onChange={(v) => onChange({ unit: v as TimeUnit })} options={units} />
    </div>
  )
}

function Button({ label, of, onChange }: { label: string; of: InAppControlsInput['primaryAction']; onChange: (b: InAppControlsInput['primaryAction']) => void }) {
  const set = (change: { label?: string; url?: string }) => {
    const next = { label: of?.label ?? '', url: of?.url ?? '', ...change }
    onChange(next.label || next.url ? next : undefined)
  }
  return (
    <div className="filters">
      <Text label={`${label}: text`} value={of?.label ?? ''} onChange={(label) => set({ label })} />
      <Text label={`${label}: address`} value={of?.url ?? ''} onChange={(url) => set({ url })} />
    </div>
  )
}

/** What a step does, by its type. */
export function StepControls({ step, onChange }: { step: WorkflowStepInput; onChange: (s: WorkflowStepInput) => void }) {
  const { inApp, email, sms, chat, push, digest, delay, throttle, trigger, custom } = step
  if (inApp) {
    const set = (change: Partial<InAppControlsInput>) => onChange({ ...step, inApp: { ...inApp, ...change } })
    return (
      <>
        <Text label="Subject" value={inApp.subject ?? ''} onChange={(subject) => set({ subject })} />
        <Text label="Body" lines={5} value={inApp.body} onChange={(body) => set({ body })} hint="Liquid: {{ subscriber.firstName }}, {{ payload.anything }}" />
        <Text label="Address to open" value={inApp.redirect ?? ''} onChange={(redirect) => set({ redirect })} />
        <Button label="First button" of={inApp.primaryAction} onChange={(primaryAction) => set({ primaryAction })} />
        <Button label="Second button" of={inApp.secondaryAction} onChange={(secondaryAction) => set({ secondaryAction })} />
      </>
    )
  }
  if (email) {
    const set = (change: Partial<typeof email>) => onChange({ ...step, email: { ...email, ...change } })
    return (
      <>
        <Text label="Subject" value={email.subject} onChange={(subject) => set({ subject })} />
        <Text label="Preview text" value={email.preheader ?? ''} onChange={(preheader) => set({ preheader })} />
        {email.blocks?.length ? <p className="soft">Its body is made of blocks, which are edited as JSON.</p> : <Text label="HTML" lines={10} value={email.html ?? ''} onChange={(html) => set({ html })} hint="Liquid: {{ subscriber.firstName }}, {{ payload.anything }}" />}
        <Text label="Text" lines={4} value={email.text ?? ''} onChange={(text) => set({ text })} hint="Made from the HTML when left empty." />
        <div className="filters">
          <Text label="From" value={email.from ?? ''} onChange={(from) => set({ from })} />
          <Text label="Sender’s name" value={email.senderName ?? ''} onChange={(senderName) => set({ senderName })} />
          <Text label="Reply to" value={email.replyTo ?? ''} onChange={(replyTo) => set({ replyTo })} />
          <Text label="Layout" value={email.layoutId ?? ''} onChange={(layoutId) => set({ layoutId })} />
        </div>
        <Check label="Without a layout" value={email.noLayout ?? false} onChange={(noLayout) => set({ noLayout })} />
      </>
    )
  }
  if (sms) return <Text label="Body" lines={5} value={sms.body} onChange={(body) => onChange({ ...step, sms: { body } })} />
  if (chat) return <Text label="Body" lines={5} value={chat.body} onChange={(body) => onChange({ ...step, chat: { body } })} />
  if (push) {
    return (
      <>
        <Text label="Title" value={push.subject} onChange={(subject) => onChange({ ...step, push: { ...push, subject } })} />
        <Text label="Body" lines={4} value={push.body} onChange={(body) => onChange({ ...step, push: { ...push, body } })} />
      </>
    )
  }
  if (digest) {
    const set = (change: Partial<typeof digest>) => onChange({ ...step, digest: { ...digest, ...change } })
    return (
      <>
        <Select label="Kind" value={digest.type} onChange={(v) => set({ type: v as DigestType })} options={['REGULAR', 'BACKOFF', 'TIMED'] satisfies DigestType[]} hint="A timed digest’s times are edited as JSON." />
        {digest.type !== 'TIMED' && <Amount label="Collect for" amount={digest.amount} unit={digest.unit} onChange={set} />}
        <Text label="Key" value={digest.digestKey ?? ''} onChange={(digestKey) => set({ digestKey })} hint="Events with different values at this path of the payload are collected apart." />
      </>
    )
  }
  if (delay) {
    const set = (change: Partial<typeof delay>) => onChange({ ...step, delay: { ...delay, ...change } })
    return (
      <>
        <Select label="Kind" value={delay.type} onChange={(v) => set({ type: v as DelayType })} options={['REGULAR', 'SCHEDULED'] satisfies DelayType[]} />
        {delay.type === 'REGULAR' ? <Amount label="Wait for" amount={delay.amount} unit={delay.unit} onChange={set} /> : <Text label="Path of the instant in the payload" value={delay.delayPath ?? ''} onChange={(delayPath) => set({ delayPath })} />}
      </>
    )
  }
  if (throttle) {
    const set = (change: Partial<typeof throttle>) => onChange({ ...step, throttle: { ...throttle, ...change } })
    return (
      <>
        <Text label="Let through" type="number" value={throttle.threshold == null ? '' : String(throttle.threshold)} onChange={(v) => set({ threshold: v === '' ? undefined : Number(v) })} />
        <Amount label="Within" amount={throttle.amount} unit={throttle.unit} onChange={set} />
        <Text label="Key" value={throttle.throttleKey ?? ''} onChange={(throttleKey) => set({ throttleKey })} />
      </>
    )
  }
  if (trigger) return <Text label="Workflow to start" value={trigger.workflow} onChange={(workflow) => onChange({ ...step, trigger: { ...trigger, workflow } })} />
  if (custom) {
    const set = (change: Partial<typeof custom>) => onChange({ ...step, custom: { ...custom, ...change } })
    return (
      <>
        <Text label="Address" value={custom.url} onChange={(url) => set({ url })} />
        <Select label="Method" value={custom.method ?? 'POST'} onChange={(v) => set({ method: v as HttpMethod })} options={(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[]).map((m) => ({ value: m, label: m }))} />
        <Text label="Body" lines={5} value={custom.body ?? ''} onChange={(body) => set({ body })} />
      </>
    )
  }
  return null
}

const operators: { value: FilterOperator; label: string }[] = [
  { value: 'EQUAL', label: 'is' }, { value: 'NOT_EQUAL', label: 'is not' }, { value: 'LARGER', label: 'is larger than' }, { value: 'SMALLER', label: 'is smaller than' },
  { value: 'LARGER_EQUAL', label: 'is at least' }, { value: 'SMALLER_EQUAL', label: 'is at most' }, { value: 'IN', label: 'is one of' }, { value: 'NOT_IN', label: 'is none of' },
  { value: 'ANY_IN', label: 'has one of' }, { value: 'ALL_IN', label: 'has all of' }, { value: 'BETWEEN', label: 'is between' }, { value: 'NOT_BETWEEN', label: 'is not between' },
  { value: 'LIKE', label: 'contains' }, { value: 'NOT_LIKE', label: 'does not contain' },
]
const places: FilterOn[] = ['PAYLOAD', 'SUBSCRIBER', 'ACTOR', 'TENANT', 'STEP']

/** Conditions in groups: all groups must hold, and in a group all or any of its parts. */
export function Filters({ label, filters, onChange }: { label: string; filters: readonly StepFilterInput[] | StepFilterInput; onChange: (f: StepFilterInput[]) => void }) {
  const groups = filters as StepFilterInput[]
  const setGroup = (at: number, group?: StepFilterInput) => onChange(groups.flatMap((g, i) => (i === at ? (group ? [group] : []) : [g])))
  return (
    <fieldset>
      <legend>{label}</legend>
      {groups.length === 0 && <p className="soft small">None: it always applies.</p>}
      {groups.map((group, g) => {
        const parts = group.children as { field: string; value: string; operator: FilterOperator; on: FilterOn }[]
        const setPart = (at: number, change: Partial<(typeof parts)[number]>) => setGroup(g, { ...group, children: parts.map((p, i) => (i === at ? { ...p, ...change } : p)) })
        const at = groups.length > 1 ? ` ${g + 1}.` : ' '
        return (
          <div className="stack" key={g}>
            {parts.map((p, i) => (
              <div className="filters" key={i}>
                <Select label={`Of${at}${i + 1}`} value={p.on} onChange={(on) => setPart(i, { on: on as FilterOn })} options={places} />
                <Text label={`Field${at}${i + 1}`} value={p.field} onChange={(field) => setPart(i, { field })} />
                <Select label={`Operator${at}${i + 1}`} value={p.operator} onChange={(o) => setPart(i, { operator: o as FilterOperator })} options={operators} />
                <Text label={`Value${at}${i + 1}`} value={p.value} onChange={(value) => setPart(i, { value })} />
                <button type="button" aria-label={`Remove condition${at}${i + 1}`} onClick={() => setGroup(g, parts.length > 1 ? { ...group, children: parts.filter((_, k) => k !== i) } : undefined)}>
                  Remove
                </button>
              </div>
            ))}
            <div className="row">
              {parts.length > 1 && <Select label={`Combine${at.trimEnd()}`} value={group.value ?? 'AND'} onChange={(value) => setGroup(g, { ...group, value: value as FilterValue })} options={[{ value: 'AND', label: 'all must hold' }, { value: 'OR', label: 'one must hold' }]} />}
              <Check label="Negate" value={group.isNegated ?? false} onChange={(isNegated) => setGroup(g, { ...group, isNegated })} />
              <button type="button" onClick={() => setGroup(g, { ...group, children: [...parts, { on: 'PAYLOAD', field: '', operator: 'EQUAL', value: '' }] })}>
                Add to this group
              </button>
            </div>
          </div>
        )
      })}
      <div>
        <button type="button" onClick={() => onChange([...groups, { isNegated: false, type: 'GROUP', value: 'AND', children: [{ on: 'PAYLOAD', field: '', operator: 'EQUAL', value: '' }] }])}>
          Add a condition
        </button>
      </div>
    </fieldset>
  )
}
