import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Form, Text } from '../form'
import {
  CreateTranslationDocument,
  DefaultTextsDocument,
  DeleteTranslationDocument,
  TranslationDocument,
  type TranslationQuery,
  TranslationsDocument,
  UpdateTranslationDocument,
} from '../gql'
import { removeAt, replaceAt } from '../lists'
import { May } from '../role'
import { Card, Confirm, Dialog, Failure, Load, Page, Pager, Table, Time } from '../ui'
import { discard, useUnsaved } from '../unsaved'
import { languageName, missingKeys, repeatedKey, repeats, toRows } from './translation-rows'

/** The texts that templates read by key, one set for each locale. */
export function Translations() {
  const pager = usePager()
  const query = useQuery(TranslationsDocument, { ...pager.variables })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Translations"
      actions={
        <May>
          <button type="button" className="main" onClick={() => setCreating(true)}>
            New locale
          </button>
        </May>
      }
    >
      <Card>
        <Load of={query}>
          {({ translations }) => (
            <>
              <Table
                label="Translations"
                rows={translations.nodes}
                id={(t) => t.id}
                empty="No translations. Use them in templates with {{ 'key' | t }}."
                columns={[
                  {
                    name: 'Locale',
                    cell: (t) => <Link href={`/translations/${encodeURIComponent(t.locale)}`}>{t.locale}</Link>,
                  },
                  { name: 'Language', cell: (t) => languageName(t.locale) },
                  { name: 'Texts', cell: (t) => Object.keys(t.content).length },
                  { name: 'Changed', cell: (t) => <Time at={t.updatedAt} /> },
                ]}
              />
              <Pager pager={pager} info={translations.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [locale, setLocale] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateTranslationDocument, (r) =>
    go(`/translations/${encodeURIComponent(r.createTranslation.locale)}`),
  )
  return (
    <Dialog title="New locale" onClose={onClose}>
      <Form submit="Create" action={create} onSubmit={() => create.run({ input: { locale, content: {} } })}>
        <Text label="Locale" at="locale" value={locale} onChange={setLocale} required hint="Such as en or pt-BR." />
      </Form>
    </Dialog>
  )
}

export function TranslationPage({ locale }: { locale: string }) {
  const query = useQuery(TranslationDocument, { locale })
  return (
    <Load of={query}>
      {({ translationByLocale: t, viewer }) => (
        <Texts of={t} fallback={viewer.environment!.defaultLocale} reload={query.reload} key={t.id} />
      )}
    </Load>
  )
}

function Texts({
  of: t,
  fallback,
  reload,
}: {
  of: TranslationQuery['translationByLocale']
  fallback: string
  reload: () => void
}) {
  const [rows, setRows] = useState(() => toRows(t.content))
  const [saved, setSaved] = useState(false)
  const others = useQuery(DefaultTextsDocument, { locales: [fallback] }, t.locale === fallback)
  const original = others.data?.translations.nodes[0]?.content ?? {}
  const missing = missingKeys(rows, original)
  const [, go] = useLocation()
  const stored = useUnsaved(rows)
  const update = useAction(UpdateTranslationDocument, () => {
    setSaved(true)
    stored()
    reload()
  })
  const remove = useAction(DeleteTranslationDocument, () => {
    discard()
    go('/translations')
  })
  const twice = repeatedKey(rows)
  const [error, setError] = useState<Error>()
  const submit = () => {
    setSaved(false)
    setError(twice === undefined ? undefined : new Error(`The key ${twice} appears twice.`))
    if (twice === undefined) void update.run({ input: { id: t.id, content: Object.fromEntries(rows) } })
  }
  const put = (next: typeof rows) => {
    setSaved(false)
    setRows(next)
  }
  const set = (at: number, row: [string, string]) => put(replaceAt(rows, at, row))
  return (
    <Page
      title={`Translation: ${t.locale}`}
      actions={
        <Confirm
          label="Delete"
          question={`Delete all texts of ${t.locale}?`}
          busy={remove.busy}
          onConfirm={() => remove.run({ id: t.id })}
        />
      }
    >
      <Failure error={remove.error} />
      <Card title={languageName(t.locale)}>
        <Form submit="Save" action={{ busy: update.busy, error: error ?? update.error }} onSubmit={submit}>
          {rows.length === 0 && <p className="soft">No texts yet.</p>}
          {rows.map(([key, text], i) => (
            <div className="texts" key={i} role="group" aria-label={`Text ${i + 1}`}>
              <Text
                label={`Key ${i + 1}`}
                wrong={error && key === twice && repeats(rows, i) ? 'This key appears twice.' : ''}
                value={key}
                onChange={(k) => set(i, [k, text])}
                required
              />
              <Text
                label={`Text ${i + 1}`}
                at={`content.${key}`}
                lines={1}
                value={text}
                onChange={(v) => set(i, [key, v])}
                hint={original[key] && `${fallback}: ${original[key]}`}
              />
              <button type="button" aria-label={`Remove text ${i + 1}`} onClick={() => put(removeAt(rows, i))}>
                Remove
              </button>
            </div>
          ))}
          <May>
            <div className="row">
              <button type="button" onClick={() => put([...rows, ['', '']])}>
                Add text
              </button>
              {missing.length > 0 && (
                <button
                  type="button"
                  onClick={() => put([...rows, ...missing.map((key): [string, string] => [key, ''])])}
                >
                  Add {missing.length} missing from {fallback}
                </button>
              )}
            </div>
          </May>
          <div role="status">{saved && <div className="note good">Saved.</div>}</div>
        </Form>
        <p className="soft small">
          Use them in templates with <code>{"{{ 'key' | t }}"}</code>. Texts can contain Liquid.
        </p>
      </Card>
    </Page>
  )
}
