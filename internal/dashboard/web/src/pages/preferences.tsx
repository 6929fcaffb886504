import { useState } from 'react'
import { useAction, useQuery } from '../api'
import { channelFields } from '../editor/definition'
import {
  PreferencesDocument,
  SetGlobalPreferencesDocument,
  UpdatePreferencesDocument,
  type ChannelPreferencesInput,
  type PreferenceSource,
} from '../gql'
import { useMay } from '../role'
import { Badge, Card, Failure, Load, Table, Text } from '../ui'

const sources: Record<PreferenceSource, string> = {
  SUBSCRIBER: 'subscriber',
  TEMPLATE: 'workflow’s default',
  WORKFLOW_OVERRIDE: 'tenant',
}
const channelOf = { IN_APP: 'inApp', EMAIL: 'email', SMS: 'sms', CHAT: 'chat', PUSH: 'push' } as const

const size = 25

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
    <Card title="Preferences">
      <Failure error={setGlobal.error ?? update.error} />
      <Load of={query}>
        {({ subscriberPreferences: p }) => {
          const sought = text.toLowerCase()
          const found = p.workflows.filter((w) =>
            [w.workflow.name, w.workflow.identifier].some((t) => t.toLowerCase().includes(sought)),
          )
          const at = Math.min(page, Math.max(0, Math.ceil(found.length / size) - 1))
          return (
            <>
              {p.workflows.length > size && <Text label="Workflow" value={text} onChange={setText} />}
              <Table
                label="Preferences"
                rows={[null, ...found.slice(at * size, (at + 1) * size)]}
                id={(w) => w?.workflow.id ?? 'global'}
                columns={[
                  {
                    name: 'For',
                    cell: (w) =>
                      w ? (
                        <span>
                          {w.workflow.name} {w.workflow.critical && <Badge>critical</Badge>}
                        </span>
                      ) : (
                        <strong>Everything</strong>
                      ),
                  },
                  ...channelFields.map(([field, name]) => ({
                    name,
                    cell: (w: (typeof p.workflows)[number] | null) => {
                      const value = (w ?? p.global).channels[field]
                      if (value === null) return <span className="soft">–</span>
                      const override = w?.overrides.find((o) => channelOf[o.channel] === field)
                      const channels: ChannelPreferencesInput = { [field]: !value }
                      return choice(
                        `${name} for ${w?.workflow.name ?? 'everything'}`,
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
                            ? 'always: it is critical'
                            : `by ${override ? sources[override.source] : 'default'}`
                          : value
                            ? 'by default'
                            : 'by subscriber',
                      )
                    },
                  })),
                ]}
              />
              {found.length === 0 && <p className="soft">No workflow is called so.</p>}
              {found.length > size && (
                <nav className="row" aria-label="Pages">
                  <button type="button" disabled={at === 0} onClick={() => setPage(at - 1)}>
                    Previous
                  </button>
                  <button type="button" disabled={(at + 1) * size >= found.length} onClick={() => setPage(at + 1)}>
                    Next
                  </button>
                  <span className="soft">
                    {at * size + 1} to {Math.min((at + 1) * size, found.length)} of {found.length}
                  </span>
                </nav>
              )}
            </>
          )
        }}
      </Load>
    </Card>
  )
}
