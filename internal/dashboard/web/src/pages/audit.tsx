import { useState } from 'react'
import { useQuery } from '../api'
import { AuditDocument } from '../gql'
import { Card, JSONView, Load, Page, Pager, Table, Text, Time, usePager } from '../ui'

/** Who changed what, and when. */
export function Audit() {
  const [action, setAction] = useState('')
  const [recordType, setRecordType] = useState('')
  const [actor, setActor] = useState('')
  const filter = { actionIn: action ? [action] : undefined, recordTypeIn: recordType ? [recordType] : undefined, actorId: actor || undefined }
  const pager = usePager(JSON.stringify(filter))
  const query = useQuery(AuditDocument, { first: 25, after: pager.after, filter })
  return (
    <Page title="Audit log">
      <Card>
        <div className="filters">
          <Text label="Action" value={action} onChange={setAction} placeholder="update" />
          <Text label="Kind of record" value={recordType} onChange={setRecordType} placeholder="Workflow" />
          <Text label="Actor" value={actor} onChange={setActor} />
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
                columns={[
                  { name: 'When', cell: (e) => <Time at={e.createdAt} /> },
                  { name: 'Who', cell: (e) => <span>{e.actorType} <code>{e.actorId}</code></span> },
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
