import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { usePager } from '../address'
import { request, useQuery } from '../api'
import { Button } from '../button'
import { Text } from '../form'
import { EraseSubscriberDocument, ExportSubscriberDocument, PreferenceHistoryDocument } from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { Badge, Card, Failure, Time } from '../ui'
import { words } from '../words'
import { RecordList } from './record-list'

/** What a subscriber had chosen, one change after the other, and the way to all of their runs. */
export function History({ id }: { id: string }) {
  const pager = usePager()
  const query = useQuery(PreferenceHistoryDocument, { ...pager.variables, filter: { subscriberId: id } })
  const encoded = encodeURIComponent(id)
  return (
    <>
      <Card title={t('person.runs')}>
        <div className="row">
          <Link className="button" href={`/activity?subscriber=${encoded}`}>
            {t('person.allRuns')}
          </Link>
          <Link className="button" href={`/activity?view=messages&subscriber=${encoded}`}>
            {t('person.allMessages')}
          </Link>
          <Link className="button" href={`/digests?subscriber=${encoded}`}>
            {t('nav.digests')}
          </Link>
        </div>
      </Card>
      <h2>{t('person.preferenceChanges')}</h2>
      <RecordList
        label={t('person.preferenceChanges')}
        query={query}
        of={(d) => d.preferenceChanges}
        pager={pager}
        none={t('person.noChanges')}
        columns={[
          { name: t('column.when'), cell: (c) => <Time at={c.createdAt} /> },
          { name: t('common.workflow'), cell: (c) => c.workflow?.name ?? t('person.global') },
          {
            name: t('column.channels'),
            cell: (c) => (
              <span className="row">
                {c.enabled === false && <Badge tone="bad">{t('person.allOff')}</Badge>}
                {Object.entries(c.channels).map(
                  ([channel, on]) =>
                    on !== null && (
                      <Badge key={channel} tone={on ? 'good' : 'bad'}>
                        {words(channel === 'inApp' ? 'IN_APP' : channel.toUpperCase())}:{' '}
                        {on ? t('common.on') : t('common.off2')}
                      </Badge>
                    ),
                )}
              </span>
            ),
          },
          { name: t('nav.contexts'), cell: (c) => c.contextKeys.join(', ') || '–' },
          { name: t('person.by'), cell: (c) => <code>{c.changedBy}</code> },
        ]}
      />
    </>
  )
}

const exportPage = 100

/** Everything that is stored about a subscriber, one record a line; calls onPage with how much was read so far. */
export async function readExport(subscriberId: string, onPage: (records: number) => void): Promise<string[]> {
  const lines: string[] = []
  let after: string | undefined
  do {
    const { exportSubscriber: page } = await request(ExportSubscriberDocument, {
      subscriberId,
      first: exportPage,
      after,
    })
    lines.push(...page.records.map((record) => JSON.stringify(record)))
    onPage(lines.length)
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined
  } while (after)
  return lines
}

/** Deletes what is stored about a subscriber, batch by batch until nothing is left. */
export async function eraseAll(subscriberId: string, onBatch: (rows: number) => void): Promise<number> {
  let rows = 0
  for (;;) {
    const { erasure: batch } = (await request(EraseSubscriberDocument, { subscriberId })).eraseSubscriber
    if (!batch) return rows
    rows += batch.rows
    onBatch(rows)
    if (batch.done) return rows
  }
}

/** What the law asks for: all that is stored about a person as a file, and its deletion. */
export function Privacy({ id }: { id: string }) {
  const [state, setState] = useState<{ text?: string; error?: Error; busy?: boolean }>({})
  const [asking, setAsking] = useState(false)
  const [, go] = useLocation()
  const work = async (run: () => Promise<void>) => {
    setState({ busy: true })
    try {
      await run()
    } catch (error) {
      setState({ error: error as Error })
    }
  }
  const save = () =>
    work(async () => {
      const lines = await readExport(id, (n) => setState({ busy: true, text: t('person.exporting', { n }) }))
      const file = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' }))
      const link = Object.assign(document.createElement('a'), { href: file, download: `${id}.ndjson` })
      link.click()
      URL.revokeObjectURL(file)
      setState({ text: t('person.exported', { n: lines.length }) })
    })
  const erase = () =>
    work(async () => {
      setAsking(false)
      await eraseAll(id, (n) => setState({ busy: true, text: t('person.erasing', { n }) }))
      go('/subscribers')
    })
  return (
    <May needs="ADMIN">
      <Card title={t('person.privacy')}>
        <p className="soft">{t('person.exportHint')}</p>
        <div className="row">
          <Button icon={Download} disabled={state.busy} onClick={save}>
            {t('person.export')}
          </Button>
          <Button icon={Trash2} look="danger" disabled={state.busy} onClick={() => setAsking(true)}>
            {t('person.erase')}
          </Button>
        </div>
        <div role="status">{state.text}</div>
        <Failure error={state.error} />
      </Card>
      {asking && <EraseQuestion id={id} onClose={() => setAsking(false)} onErase={erase} />}
    </May>
  )
}

/** Asks for the identifier, because what is erased cannot be brought back. */
function EraseQuestion({ id, onClose, onErase }: { id: string; onClose: () => void; onErase: () => void }) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog title={t('person.erase')} onClose={onClose} alert>
      <p>{t('person.eraseQuestion', { id })}</p>
      <Text label={t('person.identifier')} value={typed} onChange={setTyped} autoComplete="off" />
      <div className="row end">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="danger" disabled={typed !== id} onClick={onErase}>
          {t('person.eraseNow')}
        </Button>
      </div>
    </Dialog>
  )
}
