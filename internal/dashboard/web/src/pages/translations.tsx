import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useFilters, usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { Conflict } from '../conflict'
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
import { discard } from '../marks'
import { Confirm, Dialog } from '../overlay'
import { May } from '../role'
import { useSaved } from '../saved'
import { rich } from '../text/rich'
import { language, number, t } from '../text/text'
import { Badge, Card, Failure, Load, Page, Pager, Status, Table, Time } from '../ui'
import { lackingLocales, languageName, missingKeys, repeatedKey, repeats, toRows } from './translation-rows'
import { Usages } from './usages'

/** The texts that templates read by key, one set for each locale. */
export function Translations() {
  const pager = usePager()
  const query = useQuery(TranslationsDocument, { ...pager.variables })
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title={t('nav.translations')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('translations.newLocale')}
          </Button>
        </May>
      }
    >
      <Card>
        <Load of={query}>
          {({ translations }) => (
            <>
              <Table
                label={t('nav.translations')}
                rows={translations.nodes}
                id={(texts) => texts.id}
                empty={t('translations.none', { tag: "{{ 'key' | t }}" })}
                columns={[
                  {
                    name: t('common.locale'),
                    cell: (texts) => (
                      <Link href={`/translations/${encodeURIComponent(texts.locale)}`}>{texts.locale}</Link>
                    ),
                  },
                  { name: t('translations.language'), cell: (texts) => languageName(texts.locale, language()) },
                  { name: t('translations.texts'), cell: (texts) => number(Object.keys(texts.content).length) },
                  { name: t('common.changed'), cell: (texts) => <Time at={texts.updatedAt} /> },
                ]}
              />
              <Pager label={t('nav.translations')} pager={pager} info={translations.pageInfo} />
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
    <Card title={t('translations.missingTranslations')}>
      <p className="soft">{t('translations.keysThatTemplatesUseOr')}</p>
      <Check
        label={t('translations.onlyKeysThatTemplatesUse')}
        value={used ?? false}
        onChange={(only) => set('used')(only ? 'true' : '')}
      />
      <Load of={query}>
        {({ missingTranslations: { nodes, pageInfo, totalCount } }) => (
          <>
            {totalCount > 0 && <p>{t('translations.missingKeys', { n: totalCount })}</p>}
            <div className="scroll" role="region" aria-label={t('translations.missingTranslations')} tabIndex={0}>
              <Table
                label={t('translations.missingTranslations')}
                rows={nodes}
                id={(m) => m.key}
                empty={t('translations.noTranslationsAreMissing')}
                columns={[
                  { name: t('common.key'), cell: (m) => <code>{m.key}</code> },
                  ...lackingLocales(nodes).map((locale) => ({
                    name: locale,
                    cell: (m: (typeof nodes)[number]) =>
                      m.locales.includes(locale) ? <Badge tone="wait">{t('translations.missing')}</Badge> : '–',
                  })),
                  {
                    name: t('translations.usedBy'),
                    cell: (m) =>
                      m.usages.length > 0 ? <Usages of={m.usages} most={5} /> : t('translations.noTemplate'),
                  },
                ]}
              />
            </div>
            <Pager label={t('translations.missingTranslations')} pager={pager} info={pageInfo} />
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
    <Dialog title={t('translations.newLocale')} onClose={onClose}>
      <Form submit={t('common.create')} action={create} onSubmit={() => create.run({ input: { locale, content: {} } })}>
        <Text
          label={t('common.locale')}
          at="locale"
          value={locale}
          onChange={setLocale}
          required
          hint={t('translations.suchAsEnOrPt')}
        />
      </Form>
    </Dialog>
  )
}

export function TranslationPage({ locale }: { locale: string }) {
  const query = useQuery(TranslationDocument, { locale })
  return (
    <Load of={query} title={t('translations.translationLocale', { locale })}>
      {({ translationByLocale: texts, viewer }) => (
        <Texts of={texts} fallback={viewer.environment!.defaultLocale} reload={query.reload} key={texts.id} />
      )}
    </Load>
  )
}

function Texts({
  of: translation,
  fallback,
  reload,
}: {
  of: TranslationQuery['translationByLocale']
  fallback: string
  reload: () => void
}) {
  const [rows, setRows] = useState(() => toRows(translation.content))
  const others = useQuery(DefaultTextsDocument, { locales: [fallback] }, translation.locale === fallback)
  const original = others.data?.translations.nodes[0]?.content ?? {}
  const missing = missingKeys(rows, original)
  const [, go] = useLocation()
  const saving = useSaved(
    rows,
    translation.revision,
    async (sent, revision) => {
      const input = { id: translation.id, content: Object.fromEntries(sent), revision }
      return (await request(UpdateTranslationDocument, { input })).updateTranslation.translation.revision
    },
    reload,
  )
  const takeTheirs = async () => {
    const theirs = (await request(TranslationDocument, { locale: translation.locale })).translationByLocale
    const next = toRows(theirs.content)
    setRows(next)
    saving.rebase(next, theirs.revision)
    reload()
  }
  const remove = useAction(DeleteTranslationDocument, () => {
    discard()
    go('/translations')
  })
  const twice = repeatedKey(rows)
  const [error, setError] = useState<Error>()
  const submit = () => {
    setError(twice === undefined ? undefined : new Error(t('translations.twice', { key: twice })))
    if (twice === undefined) void saving.save()
  }
  const set = (at: number, row: [string, string]) => setRows(replaceAt(rows, at, row))
  return (
    <Page
      title={t('translations.translationLocale', { locale: translation.locale })}
      actions={
        <Confirm
          label={t('common.delete')}
          question={t('translations.deleteAllTextsOfLocale', { locale: translation.locale })}
          busy={remove.busy}
          onConfirm={() => remove.run({ id: translation.id })}
        />
      }
    >
      <Failure error={remove.error} />
      <Card title={languageName(translation.locale, language())}>
        <Form submit={t('common.save')} action={{ busy: saving.busy, error: error ?? saving.error }} onSubmit={submit}>
          {rows.length === 0 && <p className="soft">{t('translations.noTextsYet')}</p>}
          {rows.map(([key, text], i) => (
            <div className="texts" key={i} role="group" aria-label={t('translations.textN', { n: i + 1 })}>
              <Text
                label={t('translations.keyN', { n: i + 1 })}
                wrong={error && key === twice && repeats(rows, i) ? t('translations.thisTwice') : ''}
                value={key}
                onChange={(k) => set(i, [k, text])}
                required
              />
              <Text
                label={t('translations.textN', { n: i + 1 })}
                at={`content.${key}`}
                lines={1}
                value={text}
                onChange={(v) => set(i, [key, v])}
                hint={original[key] && `${fallback}: ${original[key]}`}
              />
              <Button
                icon={Trash2}
                aria-label={t('translations.removeTextN', { n: i + 1 })}
                onClick={() => setRows(removeAt(rows, i))}
              >
                {t('common.remove')}
              </Button>
            </div>
          ))}
          <May>
            <div className="row">
              <Button icon={Plus} onClick={() => setRows([...rows, ['', '']])}>
                {t('common.addText')}
              </Button>
              {missing.length > 0 && (
                <Button
                  icon={Plus}
                  onClick={() => setRows([...rows, ...missing.map((key): [string, string] => [key, ''])])}
                >
                  {t('translations.addMissing', { n: missing.length, locale: fallback })}
                </Button>
              )}
            </div>
          </May>
          <Status>{saving.saved && t('common.saved')}</Status>
          {saving.conflict && <Conflict onTheirs={takeTheirs} onMine={saving.overwrite} />}
        </Form>
        <p className="soft small">
          {rich('translations.howTo', {
            tag: <code>{"{{ 'key' | t }}"}</code>,
            tagWithArguments: <code>{"{{ 'key' | t: count: payload.count }}"}</code>,
            message: <code>{'{count, plural, one {# item} other {# items}}'}</code>,
            languages: <a href="/docs/languages">{t('translations.languages')}</a>,
          })}
        </p>
      </Card>
    </Page>
  )
}
