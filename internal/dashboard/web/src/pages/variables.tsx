import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { useEdited } from '../edited'
import { Check, Form, Text } from '../form'
import {
  CreateVariableDocument,
  DeleteVariableDocument,
  UpdateVariableDocument,
  VariableDocument,
  VariablesDocument,
  type VariablesQuery,
  VariableUsagesDocument,
} from '../gql'
import { Dialog } from '../overlay'
import { May } from '../role'
import { rich } from '../text/rich'
import { t } from '../text/text'
import { Badge, Card, Load, Page, Pager, Table, Time } from '../ui'
import { DeleteUsed } from './usages'

type Variable = VariablesQuery['variables']['nodes'][number]

/** The named texts of the environment. */
export function Variables() {
  const pager = usePager()
  const query = useQuery(VariablesDocument, pager.variables)
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<Variable>()
  const [leaving, setLeaving] = useState<Variable>()
  const done = () => {
    setCreating(false)
    setEdited(undefined)
    setLeaving(undefined)
    query.reload()
  }
  return (
    <Page
      title={t('nav.variables')}
      actions={
        <May>
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('variables.newVariable')}
          </Button>
        </May>
      }
    >
      <Card>
        <p className="soft">{rich('variables.about', { tag: <code>{'{{ env.NAME }}'}</code> })}</p>
        <Load of={query}>
          {({ variables }) => (
            <>
              <Table
                label={t('nav.variables')}
                rows={variables.nodes}
                id={(v) => v.id}
                empty={t('variables.noVariables')}
                columns={[
                  { name: t('common.name'), cell: (v) => <code>{v.name}</code> },
                  {
                    name: t('variables.value'),
                    cell: (v) => (v.secret ? <Badge>{t('variables.secret')}</Badge> : v.value),
                  },
                  { name: t('common.changed'), cell: (v) => <Time at={v.updatedAt} /> },
                  {
                    name: '',
                    cell: (v) => (
                      <May needs={v.secret ? 'ADMIN' : 'EDITOR'}>
                        <span className="row">
                          <Button
                            icon={Pencil}
                            onClick={() => setEdited(v)}
                            aria-label={t('common.changeName', { name: v.name })}
                          >
                            {t('common.change')}
                          </Button>
                          <Button
                            icon={Trash2}
                            look="danger"
                            onClick={() => setLeaving(v)}
                            aria-label={t('common.deleteName', { name: v.name })}
                          >
                            {t('common.delete')}
                          </Button>
                        </span>
                      </May>
                    ),
                  },
                ]}
              />
              <Pager label={t('nav.variables')} pager={pager} info={variables.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      {creating && <New onClose={() => setCreating(false)} onDone={done} />}
      {edited && <Change of={edited} onClose={() => setEdited(undefined)} onDone={done} />}
      {leaving && <Delete of={leaving} onClose={() => setLeaving(undefined)} onDone={done} />}
    </Page>
  )
}

type Closing = { onClose: () => void; onDone: () => void }

/** The value of a variable; a secret one is typed unseen. */
function Value({ secret, value, onChange }: { secret: boolean; value: string; onChange: (value: string) => void }) {
  return secret ? (
    <Text
      label={t('variables.value')}
      at="value"
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
    />
  ) : (
    <Text label={t('variables.value')} at="value" lines={3} value={value} onChange={onChange} />
  )
}

function New({ onClose, onDone }: Closing) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [secret, setSecret] = useState(false)
  const create = useAction(CreateVariableDocument, onDone)
  return (
    <Dialog title={t('variables.newVariable')} onClose={onClose}>
      <Form submit={t('common.create')} action={create} onSubmit={() => create.run({ input: { name, value, secret } })}>
        <Text
          label={t('common.name')}
          at="name"
          value={name}
          onChange={setName}
          required
          hint={t('variables.lettersDigitsAndSuchAs')}
        />
        <Value secret={secret} value={value} onChange={setValue} />
        <May needs="ADMIN">
          <Check label={t('variables.secretItsValueIsNever')} value={secret} onChange={setSecret} />
        </May>
      </Form>
    </Dialog>
  )
}

function Change({ of: v, onClose, onDone }: Closing & { of: Variable }) {
  const form = useEdited({
    of: v,
    valuesOf: ({ value }: Pick<Variable, 'value'>) => ({ value: value ?? '' }),
    read: async () => (await request(VariableDocument, { id: v.id })).variable,
    send: (_, { value }) => request(UpdateVariableDocument, { input: { id: v.id, value } }),
    onSaved: onDone,
  })
  return (
    <Dialog title={t('common.changeName', { name: v.name })} onClose={onClose}>
      <Form submit={t('common.save')} action={form} onSubmit={form.save}>
        {v.secret && <p className="soft">{t('variables.theStoredValueIsNot')}</p>}
        <Value secret={v.secret} value={form.values.value} onChange={(value) => form.set({ value })} />
      </Form>
    </Dialog>
  )
}

function Delete({ of: v, onClose, onDone }: Closing & { of: Variable }) {
  const usages = useQuery(VariableUsagesDocument, { id: v.id })
  const remove = useAction(DeleteVariableDocument, onDone)
  return (
    <DeleteUsed
      name={v.name}
      usages={usages}
      places={(data) => data.variableUsages}
      warning={(used) => (
        <>
          {t('variables.isUsed', { name: v.name, n: used.length })}{' '}
          {used.some((u) => u.kind === 'INTEGRATION') && t('variables.integrationsToo')}
        </>
      )}
      action={remove}
      variables={(evenIfUsed) => ({ id: v.id, evenIfUsed })}
      onClose={onClose}
    />
  )
}
