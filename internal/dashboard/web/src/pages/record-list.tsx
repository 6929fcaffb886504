import type { ReactNode } from 'react'
import type { Loaded } from '../api'
import { Button } from '../button'
import type { PageInfo, Pages } from '../pagination'
import { t } from '../text/text'
import { Card, Empty, Load, Pager, Table } from '../ui'

/** A list of records by pages. What it says without rows depends on whether filters are set. */
export function RecordList<R, T extends { id: string }>({
  label,
  query,
  of,
  pager,
  columns,
  none,
  filtered,
  onClear,
}: {
  label: string
  query: Loaded<R>
  of: (data: R) => { nodes: readonly T[]; pageInfo: PageInfo }
  pager: Pages
  columns: { name: string; cell: (row: T) => ReactNode }[]
  none: ReactNode
  filtered?: boolean
  onClear?: () => void
}) {
  return (
    <Card>
      <Load of={query}>
        {(data) => {
          const { nodes, pageInfo } = of(data)
          if (nodes.length === 0 && filtered)
            return (
              <Empty action={onClear && <Button onClick={onClear}>{t('filter.clear')}</Button>}>
                {t('activity.noMatch')}
              </Empty>
            )
          if (nodes.length === 0 && pager.first) return <Empty>{none}</Empty>
          return (
            <>
              <Table label={label} rows={nodes} id={(row) => row.id} columns={columns} />
              <Pager label={label} pager={pager} info={pageInfo} />
            </>
          )
        }}
      </Load>
    </Card>
  )
}
