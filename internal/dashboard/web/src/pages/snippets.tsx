import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import type { Knowledge } from '../code/knowledge'
import { type Example, Preview } from '../editor/preview'
import { tryJSON } from '../errors'
import {
  CreateSnippetDocument,
  DeleteSnippetDocument,
  SnippetDocument,
  type SnippetQuery,
  SnippetsDocument,
  SnippetUsageDocument,
  UpdateSnippetDocument,
} from '../gql'
import { discard } from '../marks'
import { May } from '../role'
import { useSaved } from '../saved'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Load, Page } from '../ui'
import { renderTag, snippetPlaces } from './places'
import { TemplateForm, TemplateList } from './templates'
import { DeleteUsed } from './usages'

/** The parts of templates that several of them render. */
export function Snippets() {
  return (
    <TemplateList
      of={{
        title: t('nav.snippets'),
        newOne: t('snippets.new'),
        address: '/snippets',
        empty: t('snippets.none'),
        about: (
          <p className="soft">
            {rich('snippets.about', { tag: <code>{'{% render "identifier", key: value %}'}</code> })}
          </p>
        ),
        list: SnippetsDocument,
        page: (data) => data.snippets,
        create: CreateSnippetDocument,
        created: (data) => data.createSnippet.snippet,
        content: '',
        identifierHint: t('snippets.identifierHint'),
      }}
    />
  )
}

export function SnippetPage({ identifier }: { identifier: string }) {
  const query = useQuery(SnippetDocument, { identifier })
  return (
    <Load of={query} title={identifier}>
      {({ snippetByIdentifier: s }) => <Snippet of={s} reload={query.reload} key={s.id} />}
    </Load>
  )
}

const knows: Knowledge = { template: { place: 'snippet' } }

type Stored = SnippetQuery['snippetByIdentifier']

const editedOf = ({ name, content }: Stored) => ({ name, content })

function Snippet({ of: s, reload }: { of: Stored; reload: () => void }) {
  const [edited, setEdited] = useState(() => editedOf(s))
  const [example, setExample] = useState<Example>({ payload: '{}', subscriberId: '' })
  const [leaving, setLeaving] = useState(false)
  const saving = useSaved(
    edited,
    s.revision,
    async (sent, revision) =>
      (await request(UpdateSnippetDocument, { input: { id: s.id, ...sent, revision } })).updateSnippet.snippet.revision,
    reload,
  )
  const takeTheirs = async () => {
    const theirs = (await request(SnippetDocument, { identifier: s.identifier })).snippetByIdentifier
    setEdited(editedOf(theirs))
    saving.rebase(editedOf(theirs), theirs.revision)
    reload()
  }
  const tag = renderTag(s.identifier, tryJSON(example.payload))
  return (
    <Page
      title={s.name}
      actions={
        <May>
          <Button icon={Trash2} look="danger" onClick={() => setLeaving(true)}>
            {t('common.delete')}
          </Button>
        </May>
      }
    >
      <div className="cols">
        <TemplateForm
          title={t('word.SNIPPET')}
          identifier={s.identifier}
          value={edited}
          onChange={setEdited}
          hint={t('snippets.hint', { variable: '{{ env.NAME }}' })}
          knows={knows}
          saving={saving}
          onTheirs={takeTheirs}
        />
        <Preview
          step={{ type: 'EMAIL', stepId: 'mail', email: { subject: '', html: tag, noLayout: true } }}
          snippets={{ [s.identifier]: edited.content }}
          example={example}
          onExample={setExample}
          payloadLabel={t('snippets.exampleArguments')}
          payloadHint={t('snippets.renderedWith', { tag })}
        />
      </div>
      {leaving && <Delete identifier={s.identifier} id={s.id} onClose={() => setLeaving(false)} />}
    </Page>
  )
}

function Delete({ id, identifier, onClose }: { id: string; identifier: string; onClose: () => void }) {
  const [, go] = useLocation()
  const usages = useQuery(SnippetUsageDocument, { identifier })
  const remove = useAction(DeleteSnippetDocument, () => {
    discard()
    go('/snippets')
  })
  return (
    <DeleteUsed
      name={identifier}
      usages={usages}
      places={({ snippetUsage }) => snippetPlaces(snippetUsage)}
      warning={(used) => <>{t('snippets.isUsed', { name: identifier, n: used.length })}</>}
      action={remove}
      variables={(force) => ({ id, force })}
      onClose={onClose}
    />
  )
}
