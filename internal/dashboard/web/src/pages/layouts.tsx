import { useState } from 'react'
import { useLocation } from 'wouter'
import { request, useAction, useQuery } from '../api'
import type { Knowledge } from '../code/knowledge'
import { type Example, Preview } from '../editor/preview'
import { Check } from '../form'
import {
  CreateLayoutDocument,
  DeleteLayoutDocument,
  LayoutDocument,
  type LayoutQuery,
  LayoutsDocument,
  UpdateLayoutDocument,
  type WorkflowStepInput,
} from '../gql'
import { discard } from '../marks'
import { Confirm } from '../overlay'
import { useSaved } from '../saved'
import { t } from '../text/text'
import { Badge, Failure, Load, Page } from '../ui'
import { TemplateForm, TemplateList } from './templates'

const skeleton = `<!doctype html>
<html>
  <body style="font-family: sans-serif; max-width: 40rem; margin: 0 auto">
    {{ content }}
  </body>
</html>
`

/** The frames around e-mails. */
export function Layouts() {
  return (
    <TemplateList
      of={{
        title: t('nav.layouts'),
        newOne: t('layouts.new'),
        address: '/layouts',
        empty: t('layouts.none'),
        list: LayoutsDocument,
        page: (data) => data.layouts,
        badge: (l) => l.isDefault && <Badge>{t('common.default')}</Badge>,
        create: CreateLayoutDocument,
        created: (data) => data.createLayout.layout,
        content: skeleton,
        identifierHint: t('layouts.identifierHint'),
      }}
    />
  )
}

export function LayoutPage({ identifier }: { identifier: string }) {
  const query = useQuery(LayoutDocument, { identifier })
  return (
    <Load of={query} title={identifier}>
      {({ layoutByIdentifier }) => <Layout of={layoutByIdentifier} reload={query.reload} key={layoutByIdentifier.id} />}
    </Load>
  )
}

const knows: Knowledge = { template: { place: 'layout' } }

/** The mail that the preview puts into the frame. */
const sample = (): WorkflowStepInput => ({
  type: 'EMAIL',
  stepId: 'mail',
  email: {
    subject: t('layouts.sampleSubject'),
    preheader: t('layouts.samplePreview'),
    html: `<h1>${t('layouts.sampleTitle')}</h1><p>${t('layouts.sampleText')}</p>`,
  },
})

type Stored = LayoutQuery['layoutByIdentifier']

const editedOf = ({ name, content, isDefault }: Stored) => ({ name, content, isDefault })

function Layout({ of: l, reload }: { of: Stored; reload: () => void }) {
  const [edited, setEdited] = useState(() => editedOf(l))
  const [example, setExample] = useState<Example>({ payload: '{}', subscriberId: '' })
  const [, go] = useLocation()
  const saving = useSaved(
    edited,
    l.revision,
    async (sent, revision) =>
      (await request(UpdateLayoutDocument, { input: { id: l.id, ...sent, revision } })).updateLayout.layout.revision,
    reload,
  )
  const takeTheirs = async () => {
    const theirs = (await request(LayoutDocument, { identifier: l.identifier })).layoutByIdentifier
    setEdited(editedOf(theirs))
    saving.rebase(editedOf(theirs), theirs.revision)
    reload()
  }
  const remove = useAction(DeleteLayoutDocument, () => {
    discard()
    go('/layouts')
  })
  return (
    <Page
      title={l.name}
      actions={
        <Confirm
          label={t('common.delete')}
          question={t('layouts.deleteTheLayoutNameE', { name: l.name })}
          busy={remove.busy}
          onConfirm={() => remove.run({ id: l.id })}
        />
      }
    >
      <Failure error={remove.error} />
      <div className="cols">
        <TemplateForm
          title={t('common.layout')}
          identifier={l.identifier}
          value={edited}
          onChange={setEdited}
          hint={t('layouts.hint', { content: '{{ content }}', subject: '{{ subject }}', preheader: '{{ preheader }}' })}
          knows={knows}
          required
          saving={saving}
          onTheirs={takeTheirs}
        >
          <Check
            at="isDefault"
            label={t('layouts.defaultLayout')}
            value={edited.isDefault}
            onChange={(isDefault) => setEdited({ ...edited, isDefault })}
          />
        </TemplateForm>
        <Preview step={sample()} layout={edited.content} example={example} onExample={setExample} />
      </div>
    </Page>
  )
}
