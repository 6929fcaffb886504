import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePager } from '../address'
import { request, useAction, useQuery } from '../api'
import { Button } from '../button'
import { useEdited } from '../edited'
import { Form, Select, Switch, Text } from '../form'
import {
  CreateEnvironmentDocument,
  DeleteEnvironmentDocument,
  EnvironmentDocument,
  EnvironmentsDocument,
  type EnvironmentsQuery,
  type EnvironmentType,
  UpdateEnvironmentDocument,
} from '../gql'
import { Dialog } from '../overlay'
import { membersPath } from '../pages'
import type { Me } from '../records'
import { May } from '../role'
import { t } from '../text/text'
import { Badge, Card, Failure, Load, Page, Pager, Table, Tabs } from '../ui'
import { words } from '../words'
import { InboxSecret, Keys } from './keys'
import { Members } from './members'
import { Organization, OrganizationKeys } from './organization'
import { Password } from './password'
import { SecondFactor } from './second-factor'

type Environment = EnvironmentsQuery['environments']['nodes'][number]

/** The pages of the organization, which are tabs of each other. */
function Tab({ of, actions, children }: { of: 'environments' | 'members'; actions?: ReactNode; children: ReactNode }) {
  const names = { environments: t('environments.environmentsAndKeys'), members: t('nav.members') }
  return (
    <Page title={names[of]} actions={actions}>
      <Tabs
        label={t('nav.environments')}
        current={of}
        tabs={[
          ['environments', t('nav.environments'), '/environments'],
          ['members', names.members, membersPath],
        ]}
      />
      {children}
    </Page>
  )
}

/** The organization, its members, and the person's own password and second factor. */
export function MembersPage({ me, onChange }: { me: Me; onChange: () => void }) {
  return (
    <Tab of="members">
      <Members me={me} />
      <Organization />
      <May needs="ADMIN">
        <OrganizationKeys />
      </May>
      <Password />
      <SecondFactor me={me} onChange={onChange} />
    </Tab>
  )
}

/** The environments of the organization, and the keys of the current one. */
export function Environments({ me, onChange }: { me: Me; onChange: () => void }) {
  const pager = usePager()
  const query = useQuery(EnvironmentsDocument, { ...pager.variables })
  const changed = () => {
    query.reload()
    onChange()
  }
  const update = useAction(UpdateEnvironmentDocument, changed)
  const [leaving, setLeaving] = useState<Environment>()
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<Environment>()
  return (
    <Tab
      of="environments"
      actions={
        <May needs="ADMIN">
          <Button icon={Plus} look="primary" onClick={() => setCreating(true)}>
            {t('environments.newEnvironment')}
          </Button>
        </May>
      }
    >
      <Card title={t('word.ENVIRONMENTS')}>
        <Failure error={update.error} />
        <Load of={query}>
          {({ environments }) => (
            <>
              <Table
                label={t('word.ENVIRONMENTS')}
                rows={environments.nodes}
                id={(e) => e.id}
                columns={[
                  {
                    name: t('common.name'),
                    cell: (e) => (
                      <span>
                        {e.name} {e.id === me.environment.id && <Badge>{t('environments.current')}</Badge>}
                      </span>
                    ),
                  },
                  { name: t('common.identifier'), cell: (e) => <code>{e.identifier}</code> },
                  { name: t('environments.type'), cell: (e) => words(e.type) },
                  { name: t('common.locale'), cell: (e) => e.defaultLocale },
                  {
                    name: t('common.status'),
                    cell: (e) =>
                      e.id === me.environment.id ? (
                        words('ACTIVE')
                      ) : (
                        <Switch
                          needs="ADMIN"
                          label={t('environments.nameIsActive', { name: e.name })}
                          on={!e.suspended}
                          shown={e.suspended ? t('environments.suspended') : t('word.ACTIVE')}
                          busy={update.busy}
                          onChange={(open) => update.run({ input: { id: e.id, suspended: !open } })}
                        />
                      ),
                  },
                  {
                    name: '',
                    cell: (e) => (
                      <span className="row">
                        <May needs="ADMIN">
                          <Button
                            icon={Pencil}
                            onClick={() => setEdited(e)}
                            aria-label={t('common.changeName', { name: e.name })}
                          >
                            {t('common.change')}
                          </Button>
                        </May>
                        {e.id !== me.environment.id && (
                          <May needs={e.type === 'PRODUCTION' ? 'OWNER' : 'ADMIN'}>
                            <Button
                              icon={Trash2}
                              look="danger"
                              onClick={() => setLeaving(e)}
                              aria-label={t('common.deleteName', { name: e.name })}
                            >
                              {t('common.delete')}
                            </Button>
                          </May>
                        )}
                      </span>
                    ),
                  },
                ]}
              />
              <Pager label={t('word.ENVIRONMENTS')} pager={pager} info={environments.pageInfo} />
            </>
          )}
        </Load>
      </Card>
      <May needs="ADMIN">
        <Keys me={me} />
        <InboxSecret environment={me.environment.name} />
      </May>
      {creating && (
        <New
          onClose={() => setCreating(false)}
          onDone={() => {
            setCreating(false)
            changed()
          }}
        />
      )}
      {leaving && (
        <Remove
          of={leaving}
          onClose={() => setLeaving(undefined)}
          onDone={() => {
            setLeaving(undefined)
            changed()
          }}
        />
      )}
      {edited && (
        <Change
          of={edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            changed()
          }}
        />
      )}
    </Tab>
  )
}

function New({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [identifier, setIdentifier] = useState('')
  const [name, setName] = useState('')
  const [type, setType] = useState<EnvironmentType>('DEVELOPMENT')
  const create = useAction(CreateEnvironmentDocument, onDone)
  return (
    <Dialog title={t('environments.newEnvironment')} onClose={onClose}>
      <Form
        needs="ADMIN"
        submit={t('common.create')}
        action={create}
        onSubmit={() => create.run({ input: { identifier, name: name || undefined, type } })}
      >
        <Text
          label={t('common.identifier')}
          at="identifier"
          value={identifier}
          onChange={setIdentifier}
          required
          hint={t('environments.lowerCaseLettersDigitsAnd')}
        />
        <Text label={t('common.name')} at="name" value={name} onChange={setName} />
        <Select
          label={t('environments.type')}
          at="type"
          value={type}
          onChange={(t) => setType(t as EnvironmentType)}
          options={['DEVELOPMENT', 'PRODUCTION']}
        />
      </Form>
    </Dialog>
  )
}

function Change({ of, onClose, onDone }: { of: Environment; onClose: () => void; onDone: () => void }) {
  const form = useEdited({
    of,
    valuesOf: ({ name, defaultLocale }: Pick<Environment, 'name' | 'defaultLocale'>) => ({ name, defaultLocale }),
    read: async () => (await request(EnvironmentDocument, { id: of.id })).environment,
    send: (changes) => request(UpdateEnvironmentDocument, { input: { id: of.id, ...changes } }),
    onSaved: onDone,
  })
  return (
    <Dialog title={t('common.changeName', { name: of.name })} onClose={onClose}>
      <Form needs="ADMIN" submit={t('common.save')} action={form} onSubmit={form.save}>
        <Text
          label={t('common.name')}
          at="name"
          value={form.values.name}
          onChange={(name) => form.set({ name })}
          required
        />
        <Text
          label={t('environments.defaultLocale')}
          at="defaultLocale"
          value={form.values.defaultLocale}
          onChange={(defaultLocale) => form.set({ defaultLocale })}
          required
          hint={t('environments.usedInTranslationsForSubscribers')}
        />
      </Form>
    </Dialog>
  )
}

/** Asks for the name, so that no other environment is deleted by mistake. */
function Remove({ of, onClose, onDone }: { of: Environment; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState('')
  const remove = useAction(DeleteEnvironmentDocument, onDone)
  return (
    <Dialog title={t('common.deleteName', { name: of.name })} onClose={onClose}>
      <p>{t('environments.deletes', { name: of.name })}</p>
      <Form needs="ADMIN" submit={t('common.delete')} action={remove} onSubmit={() => remove.run({ id: of.id, name })}>
        <Text
          label={t('environments.typeNameToConfirm', { name: of.name })}
          at="name"
          value={name}
          onChange={setName}
          required
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
