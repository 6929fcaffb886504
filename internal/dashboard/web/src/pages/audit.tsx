import { useFilters, usePager } from '../address'
import { useQuery } from '../api'
import { AuditDocument, PeopleDocument } from '../gql'
import { Card, JSONView, Load, Page, Pager, Table, Text, Time } from '../ui'

const most = 100

/** Who changed what, and when. */
export function Audit() {
  const { get, set } = useFilters()
  const action = get('action')
  const recordType = get('record')
  const filter = { actionIn: action ? [action] : undefined, recordTypeIn: recordType ? [recordType] : undefined, actorId: get('actor') || undefined }
  const pager = usePager()
  const query = useQuery(AuditDocument, { ...pager.variables, filter })
  const people = useQuery(PeopleDocument, { first: most })
  const names = new Map<string, string>([
    ...(people.data?.members.nodes ?? []).map((m) => [m.user.internalId, m.user.email] as const),
    ...(people.data?.apiKeys.nodes ?? []).map((k) => [k.internalId, `key ${k.name}`] as const),
  ])
  return (
    <Page title="Audit log">
      <Card>
        <div className="filters">
          <Text label="Action" value={action} onChange={set('action')} placeholder="update" />
          <Text label="Kind of record" value={recordType} onChange={set('record')} placeholder="Workflow" />
          <Text label="Actor (identifier)" value={get('actor')} onChange={set('actor')} />
        </div>
      </Card>
      <Card>
        <Load of={query}>
          {({ auditEntries }) => (
            <>
              <Table
                label="Audit log"
                rows={auditEntries.nodes}
                id={(e) => e.id}
                empty="No entry meets these conditions."
                columns={[
                  { name: 'When', cell: (e) => <Time at={e.createdAt} /> },
                  {
                    name: 'Who',
                    cell: (e) => (
                      <span>
                        {names.get(e.actorId) ?? e.actorType} {e.actorId && <button className="plain mono" onClick={() => set('actor')(e.actorId)}>{e.actorId}<span className="hidden">: show their entries alone</span></button>}
                      </span>
                    ),
                  },
                  { name: 'Action', cell: (e) => e.action },
                  { name: 'Record', cell: (e) => <span>{e.recordType} <code>{e.recordId}</code></span> },
                  { name: 'Changes', cell: (e) => e.changes == null ? '–' : <details><summary>Show<span className="hidden"> changes of {e.recordType}</span></summary><JSONView label={`Changes of ${e.recordType}`} value={e.changes} /></details> },
                ]}
              />
              <Pager pager={pager} info={auditEntries.pageInfo} />
            </>
          )}
        </Load>
      </Card>
    </Page>
  )
}
