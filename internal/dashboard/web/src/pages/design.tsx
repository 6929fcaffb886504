import { Bell, Copy, Ellipsis, Pencil, Plus, RefreshCw, Search, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton, LinkButton, type Look } from '../button'
import { APIError } from '../errors'
import { Check, Form, NumberField, Select, Switch, Text, WrongFields } from '../form'
import {
  Confirm,
  Dialog,
  Menu,
  MenuCheck,
  MenuChoice,
  MenuItem,
  MenuLine,
  MenuTitle,
  Popover,
  Tooltip,
} from '../overlay'
import { Keys } from '../shortcuts'
import { toast } from '../toast'
import {
  Badge,
  Card,
  Empty,
  Facts,
  Failure,
  Fresh,
  JSONView,
  Load,
  Note,
  Page,
  Pager,
  Skeleton,
  Status,
  Table,
  Tabs,
  Time,
  type Tone,
} from '../ui'

const looks: [name: string, look: Look][] = [
  ['Default', ''],
  ['Primary', 'primary'],
  ['Danger', 'danger'],
  ['Quiet', 'quiet'],
  ['Plain', 'plain'],
]
const tones: [name: string, tone: Tone][] = [
  ['Neutral', ''],
  ['Good', 'good'],
  ['Waiting', 'wait'],
  ['Bad', 'bad'],
]
const colours = [
  'page',
  'card',
  'raised',
  'calm',
  'hover',
  'line',
  'field',
  'soft',
  'ink',
  'brand',
  'brand-soft',
  'good',
  'good-soft',
  'wait',
  'wait-soft',
  'bad',
  'bad-soft',
]
const refused = new APIError('Two fields are wrong.', 'INVALID', [{ path: 'name', message: 'must not be empty' }])
const sample = '2026-01-31T12:30:00Z'
const nothing = () => {}

/** Every component in every state. */
export function Design() {
  return (
    <Page title="Design" actions={<Badge>for developers</Badge>}>
      <div className="cols">
        <Buttons />
        <Overlays />
        <Fields />
        <Wrong />
        <Words />
        <States />
        <Feedback />
      </div>
      <Lists />
      <Card title="Colours">
        <ul className="bare swatches">
          {colours.map((name) => (
            <li key={name}>
              <span className="swatch" style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="stack">
      <h3>{name}</h3>
      <div className="row">{children}</div>
    </div>
  )
}

function Buttons() {
  return (
    <Card title="Buttons">
      <Row name="Looks">
        {looks.map(([name, look]) => (
          <Button key={name} look={look}>
            {name}
          </Button>
        ))}
      </Row>
      <Row name="With an icon">
        <Button icon={Plus} look="primary">
          New workflow
        </Button>
        <Button icon={RefreshCw}>Refresh</Button>
        <Button icon={Trash2} look="danger">
          Delete
        </Button>
        <LinkButton href="/design" icon={Bell}>
          A link
        </LinkButton>
      </Row>
      <Row name="Disabled">
        {looks.map(([name, look]) => (
          <Button key={name} look={look} disabled>
            {name}
          </Button>
        ))}
      </Row>
      <Row name="Pressed">
        <Button aria-pressed>Chosen</Button>
        <Button aria-pressed={false}>Not chosen</Button>
      </Row>
      <Row name="Icon alone">
        <IconButton label="Change" icon={Pencil} />
        <IconButton label="Copy" icon={Copy} look="" />
        <IconButton label="Remove" icon={Trash2} look="danger" disabled />
      </Row>
    </Card>
  )
}

function Overlays() {
  const [open, setOpen] = useState(false)
  const [theme, setTheme] = useState('light')
  const [shown, setShown] = useState(true)
  return (
    <Card title="Dialogs and menus">
      <Row name="Dialog">
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <Confirm label="Delete sample" question="Delete the sample? This cannot be undone." onConfirm={nothing} />
        {open && (
          <Dialog title="A dialog" onClose={() => setOpen(false)}>
            <Form onSubmit={() => setOpen(false)} action={{ busy: false }} submit="Create">
              <Text label="Name in the dialog" value="" onChange={nothing} />
            </Form>
          </Dialog>
        )}
      </Row>
      <Row name="Menu">
        <Menu trigger={<IconButton label="More actions" icon={Ellipsis} look="" />}>
          <MenuItem icon={Pencil} onSelect={nothing}>
            Rename
          </MenuItem>
          <MenuItem icon={Copy} onSelect={nothing} disabled>
            Duplicate
          </MenuItem>
          <MenuLine />
          <MenuTitle>Theme</MenuTitle>
          <MenuChoice
            value={theme}
            onChange={setTheme}
            options={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <MenuLine />
          <MenuCheck on={shown} onChange={setShown}>
            Show archived
          </MenuCheck>
          <MenuLine />
          <MenuItem icon={Trash2} danger onSelect={nothing}>
            Delete
          </MenuItem>
        </Menu>
      </Row>
      <Row name="Popover and tooltip">
        <Popover trigger={<Button icon={Search}>Filter</Button>} label="Filter">
          <Text label="Name contains" value="" onChange={nothing} />
        </Popover>
        <Tooltip text="A short explanation">
          <Button>With a tooltip</Button>
        </Tooltip>
      </Row>
    </Card>
  )
}

function Fields() {
  const [text, setText] = useState('Anna')
  const [number, setNumber] = useState<number | undefined>(3)
  const [choice, setChoice] = useState('EMAIL')
  const [on, setOn] = useState(true)
  return (
    <Card title="Fields">
      <Text label="Text" value={text} onChange={setText} hint="What helps to fill it in." />
      <Text label="Empty" value="" onChange={nothing} placeholder="Placeholder" />
      <Text label="Read only" value="Cannot be changed" onChange={nothing} readOnly />
      <NumberField label="Number" value={number} onChange={setNumber} />
      <Select label="Choice" value={choice} onChange={setChoice} options={['EMAIL', 'SMS', 'IN_APP']} />
      <Text label="Several lines" lines={3} value={'{{ subscriber.firstName }}'} onChange={nothing} />
      <Check label="A checkbox" value={on} onChange={setOn} />
      <Check label="A disabled checkbox" value={on} onChange={nothing} disabled />
      <div className="row">
        <Switch label="A switch" on={on} onChange={setOn} />
        <Switch label="A busy switch" on={false} onChange={nothing} busy />
      </div>
    </Card>
  )
}

function Wrong() {
  return (
    <Card title="What is wrong">
      <WrongFields error={refused}>
        <Text label="Name" at="name" value="" onChange={nothing} />
      </WrongFields>
      <Failure error={refused} />
      <Failure error={new Error('The server cannot be reached.')} />
      <Load of={{ error: new Error('The list could not be loaded.'), loading: false, reload: nothing }}>
        {() => null}
      </Load>
    </Card>
  )
}

function Words() {
  return (
    <Card title="Badges and notes">
      <Row name="Badges">
        {tones.map(([name, tone]) => (
          <Badge key={name} tone={tone}>
            {name}
          </Badge>
        ))}
      </Row>
      {tones.map(([name, tone]) => (
        <Note key={name} tone={tone}>
          {name}: a message with <code>code</code>.
        </Note>
      ))}
      <Status>Saved.</Status>
      <Fresh what="The sample key" secret="crl_sample" />
      <Facts of={{ Created: <Time at={sample} />, Never: null, Key: <code>orders</code> }} />
      <JSONView label="Sample" value={{ order: 4711, paid: true }} />
    </Card>
  )
}

function States() {
  return (
    <Card title="Empty and loading">
      <Empty icon={Bell} action={<Button icon={Plus}>New workflow</Button>}>
        No workflows yet.
      </Empty>
      <Skeleton rows={3} />
    </Card>
  )
}

const people = [
  { id: 'anna', name: 'Anna Albrecht', tone: 'good' as Tone },
  { id: 'somebody-with-a-very-long-identifier-of-many-parts', name: 'Somebody', tone: 'bad' as Tone },
]

function Feedback() {
  return (
    <Card title="Toasts and keys">
      <div className="row">
        <Button onClick={() => toast('The sample was saved.')}>Say something</Button>
        <Button onClick={() => toast('The sample was deleted.', { undo: () => toast('The sample is back.') })}>
          Say it with undo
        </Button>
        <Button onClick={() => toast('The sample could not be saved.', { bad: true })}>Say what failed</Button>
        <Keys of="mod k" />
        <Keys of="g a" />
      </div>
    </Card>
  )
}

function Lists() {
  return (
    <Card title="Lists">
      <Tabs
        label="Sample"
        current="design"
        tabs={[
          ['design', 'Design', '/design'],
          ['activity', 'Activity', '/activity'],
        ]}
      />
      <Table
        label="Sample people"
        rows={people}
        id={(p) => p.id}
        columns={[
          { name: 'Name', cell: (p) => p.name },
          { name: 'Identifier', cell: (p) => <code>{p.id}</code> },
          { name: 'Status', cell: (p) => <Badge tone={p.tone}>Checked</Badge> },
          { name: 'Created', cell: () => <Time at={sample} /> },
          { name: '', cell: (p) => <IconButton label={`Change ${p.name}`} icon={Pencil} /> },
        ]}
      />
      <Pager
        label="People"
        pager={{ variables: {}, first: false, go: nothing }}
        info={{ hasPreviousPage: true, hasNextPage: false, startCursor: 'a', endCursor: 'b' }}
      />
    </Card>
  )
}
