import { useFilters, usePager } from '../address'
import { useQuery } from '../api'
import { Button } from '../button'
import { Select, Text } from '../form'
import { AuditDocument } from '../gql'
import { t } from '../text/text'
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
    <Page title={t('audit.auditLog')}>
      <Card>
        <div className="filters">
          <Select
            label={t('audit.scope')}
            value={get('of')}
            onChange={set('of')}
            options={[
              { value: '', label: t('audit.thisEnvironment') },
              { value: 'organization', label: t('audit.organizationIncludingDeletedEnvironments') },
            ]}
          />
          <Text label={t('audit.action')} value={action} onChange={set('action')} placeholder="update" />
          <Text
            label={t('audit.recordType')}
            value={recordType}
            onChange={set('record')}
            placeholder={t('common.workflow')}
          />
          <Text label={t('audit.actorID')} value={get('actor')} onChange={set('actor')} />
        </div>
      </Card>
      <Card>
        <Load of={query}>
          {({ auditEntries }) => (
            <>
              <Table
                label={t('audit.auditLog')}
                rows={auditEntries.nodes}
                id={(e) => e.id}
                empty={t('audit.noEntriesMatchTheseFilters')}
                columns={[
                  { name: t('common.when'), cell: (e) => <Time at={e.createdAt} /> },
                  {
                    name: t('audit.actor'),
                    cell: (e) => (
                      <span>
                        {e.actorType.endsWith('KEY')
                          ? t('common.keyNamed', { name: e.actorName ?? '' })
                          : e.actorName || e.actorType}{' '}
                        {e.actorId && (
                          <Button look="plain" className="mono" onClick={() => set('actor')(e.actorId)}>
                            {e.actorId}
                            <span className="hidden">{t('audit.filterByThisActor')}</span>
                          </Button>
                        )}
                      </span>
                    ),
                  },
                  { name: t('common.from'), cell: (e) => e.address || '–' },
                  { name: t('audit.action'), cell: (e) => e.action },
                  {
                    name: t('audit.record'),
                    cell: (e) => (
                      <span>
                        {e.recordType} <code>{e.recordId}</code>
                      </span>
                    ),
                  },
                  {
                    name: t('audit.changes'),
                    cell: (e) =>
                      e.changes == null ? (
                        '–'
                      ) : (
                        <details>
                          <summary>
                            {t('audit.show')}
                            <span className="hidden">{t('audit.changesOf', { type: e.recordType })}</span>
                          </summary>
                          <JSONView
                            label={t('audit.changesOfRecordType', { recordType: e.recordType })}
                            value={e.changes}
                          />
                        </details>
                      ),
                  },
                ]}
              />
              <Pager label={t('audit.auditLog')} pager={pager} info={auditEntries.pageInfo} />
            </>
          )}
        </Load>
      </Card>
    </Page>
  )
}
