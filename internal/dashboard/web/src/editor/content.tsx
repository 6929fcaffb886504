import { Check, Select, Text } from '../form'
import type { EmailControlsInput, InAppControlsInput, WorkflowStepInput } from '../gql'
import { Blocks } from './blocks'
import { JSONField } from './json'

/** What a step, or one of its variants, says. */
export type Content = Pick<WorkflowStepInput, 'inApp' | 'email' | 'sms' | 'chat' | 'push'>

const liquid = 'Liquid: {{ subscriber.firstName }}, {{ payload.anything }}'

export function ContentControls({ of, onChange }: { of: Content; onChange: (c: Content) => void }) {
  const { inApp, email, sms, chat, push } = of
  if (inApp) return <InApp of={inApp} onChange={(inApp) => onChange({ inApp })} />
  if (email) return <Email of={email} onChange={(email) => onChange({ email })} />
  if (sms)
    return (
      <Text
        label="Body"
        at="sms.body"
        lines={5}
        value={sms.body}
        onChange={(body) => onChange({ sms: { body } })}
        hint={liquid}
      />
    )
  if (chat)
    return (
      <Text
        label="Body"
        at="chat.body"
        lines={5}
        value={chat.body}
        onChange={(body) => onChange({ chat: { body } })}
        hint={liquid}
      />
    )
  if (push)
    return (
      <>
        <Text
          label="Title"
          at="push.subject"
          value={push.subject}
          onChange={(subject) => onChange({ push: { ...push, subject } })}
        />
        <Text
          label="Body"
          at="push.body"
          lines={4}
          value={push.body}
          onChange={(body) => onChange({ push: { ...push, body } })}
          hint={liquid}
        />
        <JSONField
          label="Data"
          at="push.data"
          value={push.data}
          onChange={(data) => onChange({ push: { ...push, data } })}
          hint="For the application; Liquid is rendered in all texts."
        />
      </>
    )
  return null
}

function InApp({ of, onChange }: { of: InAppControlsInput; onChange: (c: InAppControlsInput) => void }) {
  const set = (change: Partial<InAppControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <Text label="Subject" at="inApp.subject" value={of.subject ?? ''} onChange={(subject) => set({ subject })} />
      <Text label="Body" at="inApp.body" lines={5} value={of.body} onChange={(body) => set({ body })} hint={liquid} />
      <Text
        label="Link (URL)"
        at="inApp.redirect"
        value={of.redirect ?? ''}
        onChange={(redirect) => set({ redirect })}
      />
      <Button
        label="Primary button"
        at="inApp.primaryAction"
        of={of.primaryAction}
        onChange={(primaryAction) => set({ primaryAction })}
      />
      <Button
        label="Secondary button"
        at="inApp.secondaryAction"
        of={of.secondaryAction}
        onChange={(secondaryAction) => set({ secondaryAction })}
      />
      <div className="filters">
        <Text label="Avatar (URL)" at="inApp.avatar" value={of.avatar ?? ''} onChange={(avatar) => set({ avatar })} />
        <Text
          label="Feed"
          at="inApp.feedId"
          value={of.feedId ?? ''}
          onChange={(feedId) => set({ feedId: feedId || undefined })}
        />
      </div>
      <JSONField
        label="Data"
        at="inApp.data"
        value={of.data}
        onChange={(data) => set({ data })}
        hint="For the application; Liquid is rendered in all texts."
      />
    </>
  )
}

type Action = InAppControlsInput['primaryAction']

function Button({ label, at, of, onChange }: { label: string; at: string; of: Action; onChange: (b: Action) => void }) {
  const set = (change: { label?: string; url?: string }) => {
    const next = { label: of?.label ?? '', url: of?.url ?? '', ...change }
    onChange(next.label || next.url ? next : undefined)
  }
  return (
    <div className="filters">
      <Text label={`${label}: text`} at={`${at}.label`} value={of?.label ?? ''} onChange={(label) => set({ label })} />
      <Text label={`${label}: URL`} at={`${at}.url`} value={of?.url ?? ''} onChange={(url) => set({ url })} />
    </div>
  )
}

function Email({ of, onChange }: { of: EmailControlsInput; onChange: (c: EmailControlsInput) => void }) {
  const set = (change: Partial<EmailControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <Text label="Subject" at="email.subject" value={of.subject} onChange={(subject) => set({ subject })} />
      <Text
        label="Preview text"
        at="email.preheader"
        value={of.preheader ?? ''}
        onChange={(preheader) => set({ preheader })}
      />
      <Select
        label="Body as"
        value={of.blocks ? 'blocks' : 'html'}
        onChange={(v) =>
          set(
            v === 'blocks'
              ? { blocks: [{ type: 'TEXT', content: '' }], html: undefined }
              : { blocks: undefined, html: '' },
          )
        }
        options={[
          { value: 'html', label: 'HTML' },
          { value: 'blocks', label: 'Blocks' },
        ]}
      />
      {of.blocks ? (
        <Blocks at="email.blocks" blocks={of.blocks} onChange={(blocks) => set({ blocks })} />
      ) : (
        <Text
          label="HTML"
          at="email.html"
          lines={10}
          value={of.html ?? ''}
          onChange={(html) => set({ html })}
          hint={liquid}
        />
      )}
      <Text
        label="Text"
        at="email.text"
        lines={4}
        value={of.text ?? ''}
        onChange={(text) => set({ text })}
        hint="If empty, generated from the body."
      />
      <div className="filters">
        <Text label="From" at="email.from" value={of.from ?? ''} onChange={(from) => set({ from })} />
        <Text
          label="Sender name"
          at="email.senderName"
          value={of.senderName ?? ''}
          onChange={(senderName) => set({ senderName })}
        />
        <Text label="Reply to" at="email.replyTo" value={of.replyTo ?? ''} onChange={(replyTo) => set({ replyTo })} />
        <Text
          label="Layout"
          at="email.layoutId"
          value={of.layoutId ?? ''}
          onChange={(layoutId) => set({ layoutId })}
          placeholder="the default layout"
        />
      </div>
      <Check label="Do not use a layout" value={of.noLayout ?? false} onChange={(noLayout) => set({ noLayout })} />
    </>
  )
}
