import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { Check, Form, Text } from '../form'
import {
  CreateTranslationDocument,
  DefaultTextsDocument,
  DeleteTranslationDocument,
  MissingTranslationsDocument,
  TranslationDocument,
  type TranslationQuery,
  TranslationsDocument,
  UpdateTranslationDocument,
} from '../gql'
import { removeAt, replaceAt } from '../lists'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { Badge, Card, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'
import { discard, useUnsaved } from '../unsaved'
import { count } from '../words'
import { lackingLocales, languageName, missingKeys, repeatedKey, repeats, toRows } from './translation-rows'
import { Usages } from './usages'

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
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            New locale
          </Button>
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
      <Missing />
      {creating && <New onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** Which keys are missing in which locale. */
function Missing() {
  const { get, set } = useFilters('missing.')
  const pager = usePager('missing.')
  const used = get('used') === 'true' || undefined
  const query = useQuery(MissingTranslationsDocument, { ...pager.variables, filter: { used } })
  return (
    <Card title="Missing translations">
      <p className="soft">
        Keys that templates use or another locale has. Where one is missing, the text of the default locale is shown, or
        the key itself.
      </p>
      <Check
        label="Only keys that templates use"
        value={used ?? false}
        onChange={(only) => set('used')(only ? 'true' : '')}
      />
      <Load of={query}>
        {({ missingTranslations: { nodes, pageInfo, totalCount } }) => (
          <>
            {totalCount > 0 && <p>{count(totalCount, 'key')} missing in some locale.</p>}
            <div className="scroll" role="region" aria-label="Missing translations" tabIndex={0}>
              <Table
                label="Missing translations"
                rows={nodes}
                id={(m) => m.key}
                empty="No translations are missing."
                columns={[
                  { name: 'Key', cell: (m) => <code>{m.key}</code> },
                  ...lackingLocales(nodes).map((locale) => ({
                    name: locale,
                    cell: (m: (typeof nodes)[number]) =>
                      m.locales.includes(locale) ? <Badge tone="wait">missing</Badge> : '–',
                  })),
                  {
                    name: 'Used by',
                    cell: (m) => (m.usages.length > 0 ? <Usages of={m.usages} most={5} /> : 'no template'),
                  },
                ]}
              />
            </div>
            <Pager pager={pager} info={pageInfo} />
          </>
        )}
      </Load>
    </Card>
  )
}

function New({ onClose }: { onClose: () => void }) {
  const [locale, setLocale] = useState('')
  const [, go] = useLocation()
  const create = useAction(CreateTranslationDocument, (r) =>
    go(`/translations/${encodeURIComponent(r.createTranslation.translation.locale)}`),
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
              <Button icon={Trash2} aria-label={`Remove text ${i + 1}`} onClick={() => put(removeAt(rows, i))}>
                Remove
              </Button>
            </div>
          ))}
          <May>
            <div className="row">
              <Button icon={Plus} onClick={() => put([...rows, ['', '']])}>
                Add text
              </Button>
              {missing.length > 0 && (
                <Button
                  icon={Plus}
                  onClick={() => put([...rows, ...missing.map((key): [string, string] => [key, ''])])}
                >
                  Add {missing.length} missing from {fallback}
                </Button>
              )}
            </div>
          </May>
          <Status>{saved && 'Saved.'}</Status>
        </Form>
        <p className="soft small">
          Use them in templates with <code>{"{{ 'key' | t }}"}</code>, and with arguments as{' '}
          <code>{"{{ 'key' | t: count: payload.count }}"}</code>: the text is then a message of ICU, such as{' '}
          <code>{'{count, plural, one {# item} other {# items}}'}</code>. <a href="/docs/languages">Languages</a> lists
          what it can hold. Without arguments a text is shown as it is.
        </p>
      </Card>
    </Page>
  )
}
