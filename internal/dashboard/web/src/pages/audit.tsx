import { useFilters, usePager } from '../address'
import { useQuery } from '../api'
import { Button } from '../button'
import { Select, Text } from '../form'
import { AuditDocument } from '../gql'
import { Card, JSONView, Load, Page, Pager, Table, Time } from '../ui'

/** Who changed what, and when. */
export function Audit() {
  const { get, set } = useFilters()
  const action = get('action')
  const recordType = get('record')
  const filter = {
    actionIn: action ? [action] : undefined,
    recordTypeIn: recordType ? [recordType] : undefined,
    actorId: get('actor') || undefined,
  }
  const pager = usePager()
  const query = useQuery(AuditDocument, { ...pager.variables, filter, organization: get('of') === 'organization' })
  return (
    <Page title="Audit log">
      <Card>
        <div className="filters">
          <Select
            label="Scope"
            value={get('of')}
            onChange={set('of')}
            options={[
              { value: '', label: 'this environment' },
              { value: 'organization', label: 'organization, including deleted environments' },
            ]}
          />
          <Text label="Action" value={action} onChange={set('action')} placeholder="update" />
          <Text label="Record type" value={recordType} onChange={set('record')} placeholder="Workflow" />
          <Text label="Actor (ID)" value={get('actor')} onChange={set('actor')} />
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
                empty="No entries match these filters."
                columns={[
                  { name: 'When', cell: (e) => <Time at={e.createdAt} /> },
                  {
                    name: 'Actor',
                    cell: (e) => (
                      <span>
                        {e.actorType.endsWith('KEY') ? `key ${e.actorName}` : e.actorName || e.actorType}{' '}
                        {e.actorId && (
                          <Button look="plain" className="mono" onClick={() => set('actor')(e.actorId)}>
                            {e.actorId}
                            <span className="hidden">: filter by this actor</span>
                          </Button>
                        )}
                      </span>
                    ),
                  },
                  { name: 'From', cell: (e) => e.address || '–' },
                  { name: 'Action', cell: (e) => e.action },
                  {
                    name: 'Record',
                    cell: (e) => (
                      <span>
                        {e.recordType} <code>{e.recordId}</code>
                      </span>
                    ),
                  },
                  {
                    name: 'Changes',
                    cell: (e) =>
                      e.changes == null ? (
                        '–'
                      ) : (
                        <details>
                          <summary>
                            Show<span className="hidden"> changes of {e.recordType}</span>
                          </summary>
                          <JSONView label={`Changes of ${e.recordType}`} value={e.changes} />
                        </details>
                      ),
                  },
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
