import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { useAction, useQuery } from '../api'
import { Button } from '../button'
import { channelFields } from '../editor/definition'
import { Text } from '../form'
import {
  type ChannelPreferencesInput,
  PreferencesDocument,
  SetGlobalPreferencesDocument,
  UpdatePreferencesDocument,
} from '../gql'
import { nameContains } from '../lists'
import { pageSize, slicePage } from '../pagination'
import { ReadOnly, useMay } from '../role'
import { t } from '../text/text'
import { Badge, Card, Failure, Load, Table } from '../ui'

const channelOf = { IN_APP: 'inApp', EMAIL: 'email', SMS: 'sms', CHAT: 'chat', PUSH: 'push' } as const

/** What a subscriber gets on which channel, and whose word each value is. */
export function Preferences({ id }: { id: string }) {
  const query = useQuery(PreferencesDocument, { subscriberId: id })
  const setGlobal = useAction(SetGlobalPreferencesDocument, query.reload)
  const update = useAction(UpdatePreferencesDocument, query.reload)
  const may = useMay('EDITOR')
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const choice = (label: string, value: boolean, onChange: (v: boolean) => void, disabled = false, why?: string) => (
    <label className="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled || !may || setGlobal.busy || update.busy}
        onChange={(e) => onChange(e.target.checked)}
      />
      <span className="hidden">{label}</span>
      {why && <small className="soft">{why}</small>}
    </label>
  )
  return (
    <Card title={t('preferences.preferences')}>
      <Failure error={setGlobal.error ?? update.error} />
      <ReadOnly />
      <Load of={query}>
        {({ subscriberPreferences: p }) => {
          const found = p.workflows.filter((w) => nameContains(w.workflow, text))
          const { at, from, to, rows, isLast } = slicePage(found, page)
          return (
            <>
              {p.workflows.length > pageSize && <Text label={t('common.workflow')} value={text} onChange={setText} />}
              <Table
                label={t('preferences.preferences')}
                rows={[null, ...rows]}
                id={(w) => w?.workflow.id ?? 'global'}
                columns={[
                  {
                    name: t('common.workflow'),
                    cell: (w) =>
                      w ? (
                        <span>
                          {w.workflow.name} {w.workflow.critical && <Badge>{t('preferences.critical')}</Badge>}
                        </span>
                      ) : (
                        <strong>{t('preferences.allWorkflows')}</strong>
                      ),
                  },
                  ...channelFields().map(([field, name]) => ({
                    name,
                    cell: (w: (typeof p.workflows)[number] | null) => {
                      const value = (w ?? p.global).channels[field]
                      if (value === null) return <span className="soft">–</span>
                      const override = w?.overrides.find((o) => channelOf[o.channel] === field)
                      const channels: ChannelPreferencesInput = { [field]: !value }
                      return choice(
                        w
                          ? t('preferences.channelFor', { channel: name, workflow: w.workflow.name })
                          : t('preferences.channelForAll', { channel: name }),
                        value,
                        () =>
                          w
                            ? update.run({
                                input: { subscriberId: id, preferences: [{ workflowId: w.workflow.id, channels }] },
                              })
                            : setGlobal.run({ input: { subscriberId: id, channels } }),
                        w?.workflow.critical,
                        w
                          ? w.workflow.critical
                            ? t('preferences.alwaysOn')
                            : override
                              ? t(`preferences.by.${override.source}`)
                              : t('preferences.byDefault')
                          : value
                            ? t('preferences.byDefault')
                            : t('preferences.by.SUBSCRIBER'),
                      )
                    },
                  })),
                ]}
              />
              {found.length === 0 && <p className="soft">{t('preferences.noWorkflowsMatchThisFilter')}</p>}
              {found.length > pageSize && (
                <nav className="row" aria-label={t('preferences.pages')}>
                  <Button icon={ChevronLeft} disabled={at === 0} onClick={() => setPage(at - 1)}>
                    {t('preferences.previous')}
                  </Button>
                  <Button disabled={isLast} onClick={() => setPage(at + 1)}>
                    {t('preferences.next')}
                  </Button>
                  <span className="soft">{t('preferences.range', { from: from + 1, to, all: found.length })}</span>
                </nav>
              )}
            </>
          )
        }}
      </Load>
    </Card>
  )
}
