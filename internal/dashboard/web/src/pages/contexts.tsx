import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFilters, usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { jsonOf, jsonText, useEdited } from '../edited'
import { JSONText } from '../editor/json'
import { Form, Text } from '../form'
import {
  ContextDocument,
  ContextsDocument,
  type ContextsQuery,
  CreateContextDocument,
  DeleteContextDocument,
  UpdateContextDocument,
} from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { toast } from '../toast'
import { Page, Time } from '../ui'
import { RecordList } from './record-list'

type Context = ContextsQuery['contexts']['nodes'][number]

const shown = (data: unknown) => (data == null ? '' : JSON.stringify(data))

/** What events happen in, such as a region or a plan, with what templates know of it. */
export function Contexts() {
  const { get, set } = useFilters()
  const pager = usePager()
  const filter = { typeIn: get('type') ? [get('type')] : undefined, identifier: get('id') || undefined }
  const query = useQuery(ContextsDocument, { ...pager.variables, filter })
  const [edited, setEdited] = useState<Context | 'new'>()
  const failed = (e: Error) => toast(e.message, { bad: true })
  const remove = (c: Context) =>
    request(DeleteContextDocument, { id: c.id }).then(() => {
      query.reload()
      toast(t('contexts.removed', { key: c.key }), {
        undo: () =>
          void request(CreateContextDocument, { input: { type: c.type, identifier: c.identifier, data: c.data } }).then(
            query.reload,
            failed,
          ),
      })
    }, failed)
  return (
    <Page
      title={t('nav.contexts')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setEdited('new')}>
            {t('contexts.add')}
          </Button>
        </May>
      }
    >
      <form className="filter-bar" role="search" aria-label={t('nav.contexts')} onSubmit={(e) => e.preventDefault()}>
        <Text label={t('contexts.type')} value={get('type')} onChange={set('type')} />
        <Text label={t('contexts.id')} value={get('id')} onChange={set('id')} />
      </form>
      <RecordList
        label={t('nav.contexts')}
        query={query}
        of={(d) => d.contexts}
        pager={pager}
        filtered={Boolean(get('type') || get('id'))}
        none={t('contexts.none')}
        columns={[
          { name: t('contexts.type'), cell: (c) => c.type },
          { name: t('contexts.id'), cell: (c) => c.identifier },
          { name: t('common.data'), cell: (c) => <code>{shown(c.data).slice(0, 120) || '–'}</code> },
          { name: t('common.changed'), cell: (c) => <Time at={c.updatedAt} /> },
          {
            name: '',
            cell: (c) => (
              <May>
                <span className="row">
                  <Button
                    icon={Pencil}
                    aria-label={t('contexts.changeOf', { key: c.key })}
                    onClick={() => setEdited(c)}
                  >
                    {t('common.change')}
                  </Button>
                  <Button
                    icon={Trash2}
                    look="danger"
                    aria-label={t('contexts.removeOf', { key: c.key })}
                    onClick={() => remove(c)}
                  >
                    {t('common.delete')}
                  </Button>
                </span>
              </May>
            ),
          },
        ]}
      />
      {edited && (
        <Edit
          of={edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            query.reload()
          }}
        />
      )}
    </Page>
  )
}

function Edit({ of, onClose, onDone }: { of: Context | 'new'; onClose: () => void; onDone: () => void }) {
  const known = of === 'new' ? undefined : of
  const [type, setType] = useState(known?.type ?? '')
  const [identifier, setIdentifier] = useState(known?.identifier ?? '')
  const form = useEdited({
    of: known,
    valuesOf: (c) => ({ data: jsonText(c?.data) }),
    read: async () => known && (await request(ContextDocument, { id: known.id })).context,
    send: async (changes) =>
      known && request(UpdateContextDocument, { input: { id: known.id, ...jsonOf(changes, t('common.data')) } }),
    onSaved: onDone,
  })
  const [error, setError] = useState<Error>()
  const create = useAction(CreateContextDocument, onDone)
  const add = () => {
    setError(undefined)
    try {
      void create.run({ input: { type, identifier, ...jsonOf(form.values, t('common.data')) } })
    } catch (e) {
      setError(e as Error)
    }
  }
  return (
    <Dialog title={known ? known.key : t('contexts.add')} onClose={onClose}>
      <Form
        submit={t('common.save')}
        action={known ? form : { busy: create.busy, error: error ?? create.error }}
        onSubmit={known ? form.save : add}
      >
        {!known && (
          <>
            <Text label={t('contexts.type')} at="type" value={type} onChange={setType} required />
            <Text label={t('contexts.id')} at="identifier" value={identifier} onChange={setIdentifier} required />
          </>
        )}
        <JSONText
          label={t('common.data')}
          at="data"
          lines={8}
          value={form.values.data}
          onChange={(data) => form.set({ data })}
        />
      </Form>
    </Dialog>
  )
}
