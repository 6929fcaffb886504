import { useEffect, useRef, useState } from 'react'
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { loggedIn, logOut, onSignedOut, switchEnvironment, useQuery } from './api'
import { ViewerDocument, type MemberRole, type ViewerQuery } from './gql'
import icon from './icon.svg'
import { LogIn } from './login'
import { Activity } from './pages/activity'
import { Audit } from './pages/audit'
import { Catcher } from './pages/catcher'
import { Environments } from './pages/environments'
import { IntegrationPage, Integrations } from './pages/integrations'
import { LayoutPage, Layouts } from './pages/layouts'
import { Overview } from './pages/overview'
import { SubscriberPage } from './pages/subscriber'
import { Subscribers } from './pages/subscribers'
import { TenantPage, Tenants } from './pages/tenants'
import { TopicPage, Topics } from './pages/topics'
import { Trace } from './pages/trace'
import { TranslationPage, Translations } from './pages/translations'
import { WorkflowPage } from './pages/workflow'
import { Workflows } from './pages/workflows'
import { May, Role } from './role'
import { Failure, Page } from './ui'

const pages: [name: string, path: string, needs?: MemberRole][] = [
  ['Overview', '/overview'],
  ['Activity', '/activity'],
  ['Workflows', '/workflows'],
  ['Layouts', '/layouts'],
  ['Translations', '/translations'],
  ['Integrations', '/integrations'],
  ['Subscribers', '/subscribers'],
  ['Topics', '/topics'],
  ['Tenants', '/tenants'],
  ['Catcher', '/catcher'],
  ['Environments and keys', '/environments'],
  ['Audit log', '/audit', 'ADMIN'],
]

export function App() {
  const [state, setState] = useState<'unknown' | 'in' | 'out' | Error>('unknown')
  useEffect(() => {
    loggedIn().then((yes) => setState(yes ? 'in' : 'out'), setState)
    return onSignedOut(() => setState('out'))
  }, [])
  if (state === 'unknown') return null
  if (state === 'out') return <LogIn onDone={() => setState('in')} />
  return state === 'in' ? (
    <Router base="/dashboard">
      <Workplace />
    </Router>
  ) : (
    <main>
      <Failure error={state} />
    </main>
  )
}

function Workplace() {
  const viewer = useQuery(ViewerDocument, {})
  if (viewer.data)
    return (
      <Role value={viewer.data.viewer.role}>
        <Shell viewer={viewer.data} reload={viewer.reload} />
      </Role>
    )
  return viewer.error ? (
    <main>
      <Failure error={viewer.error} />
      <button onClick={viewer.reload}>Try again</button>
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
    if (before.current !== '/' && before.current !== path && document.activeElement === document.body) document.getElementById('content')?.focus()
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
          <button className="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
            Menu
          </button>
        </div>
        <EnvironmentSwitch viewer={viewer} />
        <nav aria-label="Pages">
          <ul>
            {pages.map(([name, to, needs = 'VIEWER']) => (
              <May needs={needs} key={to}>
                <li>
                  <Link href={to} aria-current={path === to || path.startsWith(to + '/') ? 'page' : undefined}>
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
          <button onClick={() => logOut().finally(() => location.reload())}>Log out</button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Switch>
          <Route path="/">
            <Redirect to="/activity" replace />
          </Route>
          <Route path="/overview" component={Overview} />
          <Route path="/activity" component={Activity} />
          <Route path="/activity/:id">{({ id }) => <Trace id={id} key={id} />}</Route>
          <Route path="/workflows" component={Workflows} />
          <Route path="/workflows/:id">{({ id }) => <WorkflowPage reference={decodeURIComponent(id)} tab="Editor" />}</Route>
          <Route path="/workflows/:id/test">{({ id }) => <WorkflowPage reference={decodeURIComponent(id)} tab="Test" />}</Route>
          <Route path="/workflows/:id/versions">{({ id }) => <WorkflowPage reference={decodeURIComponent(id)} tab="Versions" />}</Route>
          <Route path="/layouts" component={Layouts} />
          <Route path="/layouts/:id">{({ id }) => <LayoutPage identifier={decodeURIComponent(id)} key={id} />}</Route>
          <Route path="/translations" component={Translations} />
          <Route path="/translations/:locale">{({ locale }) => <TranslationPage locale={decodeURIComponent(locale)} key={locale} />}</Route>
          <Route path="/integrations" component={Integrations} />
          <Route path="/integrations/:id">{({ id }) => <IntegrationPage id={id} key={id} />}</Route>
          <Route path="/subscribers" component={Subscribers} />
          <Route path="/subscribers/:id">{({ id }) => <SubscriberPage id={decodeURIComponent(id)} tab="Profile" />}</Route>
          <Route path="/subscribers/:id/preferences">{({ id }) => <SubscriberPage id={decodeURIComponent(id)} tab="Preferences" />}</Route>
          <Route path="/subscribers/:id/subscriptions">{({ id }) => <SubscriberPage id={decodeURIComponent(id)} tab="Subscriptions" />}</Route>
          <Route path="/subscribers/:id/messages">{({ id }) => <SubscriberPage id={decodeURIComponent(id)} tab="Messages" />}</Route>
          <Route path="/topics" component={Topics} />
          <Route path="/topics/:key">{({ key }) => <TopicPage topicKey={decodeURIComponent(key)} key={key} />}</Route>
          <Route path="/tenants" component={Tenants} />
          <Route path="/tenants/:id">{({ id }) => <TenantPage identifier={decodeURIComponent(id)} key={id} />}</Route>
          <Route path="/catcher" component={Catcher} />
          <Route path="/environments">
            <Environments me={viewer.viewer} onChange={reload} />
          </Route>
          <Route path="/audit" component={Audit} />
          <Route>
            <Page title="Not found">
              <p>There is no such page.</p>
            </Page>
          </Route>
        </Switch>
      </main>
    </div>
  )
}

/** Which environment everything on the page belongs to. */
function EnvironmentSwitch({ viewer }: { viewer: ViewerQuery }) {
  const [error, setError] = useState<Error>()
  return (
    <label className="field">
      <span>Environment</span>
      <select
        value={viewer.viewer.environment.id}
        onChange={(e) =>
          switchEnvironment(e.target.value).then(() => location.assign('/dashboard/'), setError)
        }
      >
        {viewer.environments.nodes.map((e) => (
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
