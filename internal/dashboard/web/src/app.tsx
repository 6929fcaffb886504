import { Component, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { logOut, onEnrolment, onSignedOut, type Session, sessionState, switchEnvironment, useQuery } from './api'
import { type MemberRole, ViewerDocument, type ViewerQuery } from './gql'
import icon from './icon.svg'
import { AcceptInvitation, NewPassword } from './links'
import { Front, LogIn } from './login'
import { Activity } from './pages/activity'
import { Audit } from './pages/audit'
import { Catcher } from './pages/catcher'
import { Environments } from './pages/environments'
import { IntegrationPage, Integrations } from './pages/integrations'
import { LayoutPage, Layouts } from './pages/layouts'
import { Overview } from './pages/overview'
import { Promote } from './pages/promote'
import { SetUp } from './pages/second-factor'
import { SnippetPage, Snippets } from './pages/snippets'
import { SubscriberPage } from './pages/subscriber'
import { Subscribers } from './pages/subscribers'
import { TenantPage, Tenants } from './pages/tenants'
import { TopicPage, Topics } from './pages/topics'
import { Trace } from './pages/trace'
import { TranslationPage, Translations } from './pages/translations'
import { Variables } from './pages/variables'
import { WorkflowPage } from './pages/workflow'
import { Workflows } from './pages/workflows'
import type { Me } from './records'
import { May, Role } from './role'
import { Failure, Page } from './ui'
import { Addresses, anyUnsaved, discard } from './unsaved'

const pages: [name: string, path: string, needs?: MemberRole][] = [
  ['Overview', '/overview'],
  ['Activity', '/activity'],
  ['Workflows', '/workflows'],
  ['Layouts', '/layouts'],
  ['Snippets', '/snippets'],
  ['Translations', '/translations'],
  ['Variables', '/variables'],
  ['Integrations', '/integrations'],
  ['Subscribers', '/subscribers'],
  ['Topics', '/topics'],
  ['Tenants', '/tenants'],
  ['Catcher', '/catcher'],
  ['Promote', '/promote'],
  ['Environments and keys', '/environments'],
  ['Audit log', '/audit', 'ADMIN'],
]

/** What a part of an address names. */
function named(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // typed by hand
  }
}

const none: Session = { active: false, oidc: false, mail: false, enrol: false }

export function App() {
  const [session, setSession] = useState<Session>()
  const [error, setError] = useState<Error>()
  const [turn, setTurn] = useState(0) // grows when what is shown may be another person's
  const person = useRef('')
  useEffect(() => {
    const read = () => void sessionState().then(setSession, setError)
    read()
    const stopSignedOut = onSignedOut(() => setSession((s) => ({ ...none, ...s, active: false })))
    const stopEnrolment = onEnrolment(read)
    return () => {
      stopSignedOut()
      stopEnrolment()
    }
  }, [])
  const entered = (email: string) => {
    // What is not saved survives a log-in that ended meanwhile.
    if (!anyUnsaved() || email.toLowerCase() !== person.current.toLowerCase()) {
      discard()
      setTurn(turn + 1)
    }
    sessionState().then(setSession, setError)
  }
  if (error)
    return (
      <main>
        <Failure error={error} />
        <Again />
      </main>
    )
  if (!session) return null
  if (location.pathname === '/dashboard/invitation') return <AcceptInvitation session={session} />
  if (location.pathname === '/dashboard/new-password') return <NewPassword />
  if (session.active && session.enrol) return <Enrol />
  return (
    <>
      {!session.active && <LogIn session={session} onDone={entered} />}
      {(session.active || person.current) && (
        <div hidden={!session.active} key={turn}>
          <Broken>
            <Addresses base="/dashboard">
              <Workplace onKnown={(email) => (person.current = email)} />
            </Addresses>
          </Broken>
        </div>
      )}
    </>
  )
}

/** All that members without the second factor see that their organization requires. */
function Enrol() {
  return (
    <Front title="Set up your second factor">
      <p>Your organization requires a second factor. Set yours up to continue.</p>
      <SetUp onDone={() => location.reload()} />
      <button type="button" onClick={() => logOut().finally(() => location.reload())}>
        Log out
      </button>
    </Front>
  )
}

function Again() {
  return (
    <div>
      <button type="button" onClick={() => location.reload()}>
        Reload page
      </button>
    </div>
  )
}

type Failing = { error?: Error; at?: string }

/** Says that a page failed, until another one is at its place. */
class Broken extends Component<{ children: ReactNode; at?: string }, Failing> {
  override state: Failing = {}
  static getDerivedStateFromError = (error: Error): Failing => ({ error })
  static getDerivedStateFromProps = ({ at }: { at?: string }, state: Failing): Failing | null =>
    at === state.at ? null : { at, error: undefined }
  override render() {
    if (!this.state.error) return this.props.children
    return (
      <>
        <h1>Something went wrong on this page</h1>
        <Failure error={this.state.error} />
        <Again />
      </>
    )
  }
}

function Workplace({ onKnown }: { onKnown: (email: string) => void }) {
  const viewer = useQuery(ViewerDocument, {})
  const email = viewer.data?.viewer.user?.email
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address counts, not the callback.
  useEffect(() => {
    if (email) onKnown(email)
  }, [email])
  if (viewer.data)
    return (
      <Role value={viewer.data.viewer.role}>
        <Shell viewer={viewer.data} reload={viewer.reload} />
      </Role>
    )
  return viewer.error ? (
    <main>
      <Failure error={viewer.error} />
      <button type="button" onClick={viewer.reload}>
        Try again
      </button>
    </main>
  ) : null
}

function Shell({ viewer, reload }: { viewer: ViewerQuery; reload: () => void }) {
  const [open, setOpen] = useState(false)
  const [path] = useLocation()
  const before = useRef('/')
  useEffect(() => {
    setOpen(false)
    // What had the focus may have gone with its page.
    if (before.current !== '/' && before.current !== path && document.activeElement === document.body)
      document.getElementById('content')?.focus()
    before.current = path
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className={open ? 'side open' : 'side'}>
        <div className="top">
          <span className="brand">
            <img src={icon} alt="" />
            Carillon
          </span>
          <button type="button" className="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
            Menu
          </button>
        </div>
        <EnvironmentSwitch viewer={viewer} />
        <nav aria-label="Pages">
          <ul>
            {pages.map(([name, to, needs = 'VIEWER']) => (
              <May needs={needs} key={to}>
                <li>
                  <Link href={to} aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}>
                    {name}
                  </Link>
                </li>
              </May>
            ))}
          </ul>
        </nav>
        <div className="foot">
          <span>
            {viewer.viewer.user?.email} ({viewer.viewer.role.toLowerCase()})
          </span>
          <Version />
          <span className="small">Times are in {Intl.DateTimeFormat().resolvedOptions().timeZone}.</span>
          <button type="button" onClick={() => logOut().finally(() => location.reload())}>
            Log out
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Broken at={path}>
          <Switch>
            <Route path="/">
              <Redirect to="/activity" replace />
            </Route>
            <Route path="/overview" component={Overview} />
            <Route path="/activity" component={Activity} />
            <Route path="/activity/:id">{({ id }) => <Trace id={id} key={id} />}</Route>
            <Route path="/workflows" component={Workflows} />
            <Route path="/workflows/:id">{({ id }) => <WorkflowPage reference={named(id)} tab="Editor" />}</Route>
            <Route path="/workflows/:id/test">{({ id }) => <WorkflowPage reference={named(id)} tab="Test" />}</Route>
            <Route path="/workflows/:id/versions">
              {({ id }) => <WorkflowPage reference={named(id)} tab="Versions" />}
            </Route>
            <Route path="/layouts" component={Layouts} />
            <Route path="/layouts/:id">{({ id }) => <LayoutPage identifier={named(id)} key={id} />}</Route>
            <Route path="/snippets" component={Snippets} />
            <Route path="/snippets/:id">{({ id }) => <SnippetPage identifier={named(id)} key={id} />}</Route>
            <Route path="/translations" component={Translations} />
            <Route path="/translations/:locale">
              {({ locale }) => <TranslationPage locale={named(locale)} key={locale} />}
            </Route>
            <Route path="/variables" component={Variables} />
            <Route path="/integrations" component={Integrations} />
            <Route path="/integrations/:id">{({ id }) => <IntegrationPage id={id} key={id} />}</Route>
            <Route path="/subscribers" component={Subscribers} />
            <Route path="/subscribers/:id">{({ id }) => <SubscriberPage id={named(id)} tab="Profile" />}</Route>
            <Route path="/subscribers/:id/preferences">
              {({ id }) => <SubscriberPage id={named(id)} tab="Preferences" />}
            </Route>
            <Route path="/subscribers/:id/subscriptions">
              {({ id }) => <SubscriberPage id={named(id)} tab="Subscriptions" />}
            </Route>
            <Route path="/subscribers/:id/messages">
              {({ id }) => <SubscriberPage id={named(id)} tab="Messages" />}
            </Route>
            <Route path="/topics" component={Topics} />
            <Route path="/topics/:key">{({ key }) => <TopicPage topicKey={named(key)} key={key} />}</Route>
            <Route path="/tenants" component={Tenants} />
            <Route path="/tenants/:id">{({ id }) => <TenantPage identifier={named(id)} key={id} />}</Route>
            <Route path="/catcher" component={Catcher} />
            <Route path="/promote">
              <Promote viewer={viewer} />
            </Route>
            <Route path="/environments">
              <Environments me={viewer.viewer as Me} onChange={reload} />
            </Route>
            <Route path="/audit" component={Audit} />
            <Route>
              <Page title="Not found">
                <p>This page does not exist.</p>
              </Page>
            </Route>
          </Switch>
        </Broken>
      </main>
    </div>
  )
}

/** The version of the server. */
function Version() {
  const [version, setVersion] = useState('')
  useEffect(() => {
    sessionState().then(
      (s) => setVersion(s.version ?? ''),
      () => {}, // the page works without it
    )
  }, [])
  return version && <span className="small">Carillon {version}</span>
}

/** Which environment everything on the page belongs to. */
function EnvironmentSwitch({ viewer }: { viewer: ViewerQuery }) {
  const [error, setError] = useState<Error>()
  const { environment: present } = viewer.viewer as Me
  const { nodes } = viewer.environments
  const choices = nodes.some((e) => e.id === present.id) ? nodes : [present, ...nodes]
  return (
    <label className="field">
      <span>Environment</span>
      <select
        value={present.id}
        onChange={(e) => switchEnvironment(e.target.value).then(() => location.assign('/dashboard/'), setError)}
      >
        {choices.map((e) => (
          <option key={e.id} value={e.id}>
            {e.name}
            {e.type === 'PRODUCTION' ? ' (production)' : ''}
          </option>
        ))}
      </select>
      <Failure error={error} />
    </label>
  )
}
