import { Check, Select } from '../form'
import type { EmailControlsInput, InAppControlsInput, WorkflowStepInput } from '../gql'
import { IdentifierField } from '../identifier-field'
import { part } from '../part'
import { t } from '../text/text'
import { Template, TemplateJSON, TemplateLine } from './template'

const Blocks = part(() => import('./blocks').then((m) => m.default))

/** What a step, or one of its variants, says. */
export type Content = Pick<WorkflowStepInput, 'inApp' | 'email' | 'sms' | 'chat' | 'push'>

export function ContentControls({ of, onChange }: { of: Content; onChange: (c: Content) => void }) {
  const { inApp, email, sms, chat, push } = of
  if (inApp) return <InApp of={inApp} onChange={(inApp) => onChange({ inApp })} />
  if (email) return <Email of={email} onChange={(email) => onChange({ email })} />
  if (sms)
    return (
      <Template
        label={t('common.body')}
        at="sms.body"
        lines={5}
        value={sms.body}
        onChange={(body) => onChange({ sms: { body } })}
      />
    )
  if (chat)
    return (
      <Template
        label={t('common.body')}
        at="chat.body"
        lines={5}
        value={chat.body}
        onChange={(body) => onChange({ chat: { body } })}
      />
    )
  if (push)
    return (
      <>
        <TemplateLine
          label={t('content.title')}
          at="push.subject"
          value={push.subject}
          onChange={(subject) => onChange({ push: { ...push, subject } })}
        />
        <Template
          label={t('common.body')}
          at="push.body"
          lines={4}
          value={push.body}
          onChange={(body) => onChange({ push: { ...push, body } })}
        />
        <TemplateJSON
          label={t('common.data')}
          at="push.data"
          value={push.data}
          onChange={(data) => onChange({ push: { ...push, data } })}
          hint={t('content.forTheApplicationLiquidIs')}
        />
      </>
    )
  return null
}

function InApp({ of, onChange }: { of: InAppControlsInput; onChange: (c: InAppControlsInput) => void }) {
  const set = (change: Partial<InAppControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <TemplateLine
        label={t('common.subject')}
        at="inApp.subject"
        value={of.subject ?? ''}
        onChange={(subject) => set({ subject })}
      />
      <Template label={t('common.body')} at="inApp.body" lines={5} value={of.body} onChange={(body) => set({ body })} />
      <TemplateLine
        label={t('content.linkURL')}
        at="inApp.redirect"
        value={of.redirect ?? ''}
        onChange={(redirect) => set({ redirect })}
      />
      <Button
        label={t('content.primaryButton')}
        at="inApp.primaryAction"
        of={of.primaryAction}
        onChange={(primaryAction) => set({ primaryAction })}
      />
      <Button
        label={t('content.secondaryButton')}
        at="inApp.secondaryAction"
        of={of.secondaryAction}
        onChange={(secondaryAction) => set({ secondaryAction })}
      />
      <div className="filters">
        <TemplateLine
          label={t('content.avatarURL')}
          at="inApp.avatar"
          value={of.avatar ?? ''}
          onChange={(avatar) => set({ avatar })}
        />
        <IdentifierField
          of="feed"
          label={t('word.FEED')}
          at="inApp.feedId"
          value={of.feedId ?? ''}
          onChange={(feedId) => set({ feedId: feedId || undefined })}
        />
      </div>
      <TemplateJSON
        label={t('common.data')}
        at="inApp.data"
        value={of.data}
        onChange={(data) => set({ data })}
        hint={t('content.forTheApplicationLiquidIs')}
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
      <TemplateLine
        label={t('content.labelText', { label })}
        at={`${at}.label`}
        value={of?.label ?? ''}
        onChange={(label) => set({ label })}
      />
      <TemplateLine
        label={t('content.labelURL', { label })}
        at={`${at}.url`}
        value={of?.url ?? ''}
        onChange={(url) => set({ url })}
      />
    </div>
  )
}

function Email({ of, onChange }: { of: EmailControlsInput; onChange: (c: EmailControlsInput) => void }) {
  const set = (change: Partial<EmailControlsInput>) => onChange({ ...of, ...change })
  return (
    <>
      <TemplateLine
        label={t('common.subject')}
        at="email.subject"
        value={of.subject}
        onChange={(subject) => set({ subject })}
      />
      <TemplateLine
        label={t('content.previewText')}
        at="email.preheader"
        value={of.preheader ?? ''}
        onChange={(preheader) => set({ preheader })}
      />
      <Select
        label={t('content.bodyAs')}
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
          { value: 'blocks', label: t('common.blocks') },
        ]}
      />
      {of.blocks ? (
        <Blocks at="email.blocks" blocks={of.blocks} onChange={(blocks) => set({ blocks })} />
      ) : (
        <Template
          html
          label="HTML"
          at="email.html"
          lines={10}
          value={of.html ?? ''}
          onChange={(html) => set({ html })}
        />
      )}
      <Template
        label={t('content.text')}
        at="email.text"
        lines={4}
        value={of.text ?? ''}
        onChange={(text) => set({ text })}
        hint={t('content.ifEmptyGeneratedFromThe')}
      />
      <div className="filters">
        <TemplateLine
          label={t('common.from')}
          at="email.from"
          value={of.from ?? ''}
          onChange={(from) => set({ from })}
        />
        <TemplateLine
          label={t('content.senderName')}
          at="email.senderName"
          value={of.senderName ?? ''}
          onChange={(senderName) => set({ senderName })}
        />
        <TemplateLine
          label={t('content.replyTo')}
          at="email.replyTo"
          value={of.replyTo ?? ''}
          onChange={(replyTo) => set({ replyTo })}
        />
        <IdentifierField
          of="layout"
          label={t('common.layout')}
          at="email.layoutId"
          value={of.layoutId ?? ''}
          onChange={(layoutId) => set({ layoutId })}
          placeholder={t('content.theDefaultLayout')}
        />
      </div>
      <Check
        label={t('content.doNotUseALayout')}
        value={of.noLayout ?? false}
        onChange={(noLayout) => set({ noLayout })}
      />
    </>
  )
}
