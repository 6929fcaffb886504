import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { useEdited } from '../edited'
import { Form, Text } from '../form'
import {
  CreateFeedDocument,
  DeleteFeedDocument,
  FeedDocument,
  FeedsDocument,
  type FeedsQuery,
  UpdateFeedDocument,
} from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { t } from '../text/text'
import { toast } from '../toast'
import { Page, Time } from '../ui'
import { RecordList } from './record-list'

type Feed = FeedsQuery['feeds']['nodes'][number]

/** The parts into which inboxes are divided. */
export function Feeds() {
  const pager = usePager()
  const query = useQuery(FeedsDocument, pager.variables)
  const [edited, setEdited] = useState<Feed | 'new'>()
  const failed = (e: Error) => toast(e.message, { bad: true })
  const remove = (f: Feed) =>
    request(DeleteFeedDocument, { id: f.id }).then(() => {
      query.reload()
      toast(t('feeds.removed', { name: f.name }), {
        undo: () =>
          void request(CreateFeedDocument, { input: { identifier: f.identifier, name: f.name } }).then(
            query.reload,
            failed,
          ),
      })
    }, failed)
  return (
    <Page
      title={t('nav.feeds')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setEdited('new')}>
            {t('feeds.add')}
          </Button>
        </May>
      }
    >
      <RecordList
        label={t('nav.feeds')}
        query={query}
        of={(d) => d.feeds}
        pager={pager}
        none={t('feeds.none')}
        columns={[
          { name: t('common.name'), cell: (f) => f.name },
          { name: t('feeds.identifier'), cell: (f) => <code>{f.identifier}</code> },
          { name: t('common.created'), cell: (f) => <Time at={f.createdAt} /> },
          {
            name: '',
            cell: (f) => (
              <May>
                <span className="row">
                  <Button icon={Pencil} aria-label={`${t('common.change')}: ${f.name}`} onClick={() => setEdited(f)}>
                    {t('common.change')}
                  </Button>
                  <Button
                    icon={Trash2}
                    look="danger"
                    aria-label={`${t('common.delete')}: ${f.name}`}
                    onClick={() => remove(f)}
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

function Edit({ of, onClose, onDone }: { of: Feed | 'new'; onClose: () => void; onDone: () => void }) {
  const known = of === 'new' ? undefined : of
  const [identifier, setIdentifier] = useState('')
  const form = useEdited({
    of: known,
    valuesOf: (feed) => ({ name: feed?.name ?? '' }),
    read: async () => known && (await request(FeedDocument, { id: known.id })).feed,
    send: async ({ name }) => known && request(UpdateFeedDocument, { input: { id: known.id, name } }),
    onSaved: onDone,
  })
  const { name } = form.values
  const create = useAction(CreateFeedDocument, onDone)
  return (
    <Dialog title={known ? known.name : t('feeds.add')} onClose={onClose}>
      <Form
        submit={t('common.save')}
        action={known ? form : create}
        onSubmit={known ? form.save : () => create.run({ input: { identifier: identifier.trim(), name } })}
      >
        {!known && (
          <Text label={t('feeds.identifier')} at="identifier" value={identifier} onChange={setIdentifier} required />
        )}
        <Text label={t('common.name')} at="name" value={name} onChange={(name) => form.set({ name })} required />
      </Form>
    </Dialog>
  )
}
