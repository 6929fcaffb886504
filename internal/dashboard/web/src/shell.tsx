import { ChevronsUpDown, CircleUserRound, LogOut, Menu as MenuIcon, Server, X } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { logOut, sessionState, switchEnvironment } from './api'
import { Broken } from './broken'
import { Button } from './button'
import type { ViewerQuery } from './gql'
import icon from './icon.svg'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuTitle } from './overlay'
import { isAt, navigation } from './pages'
import type { Me } from './records'
import { May } from './role'
import { Routes } from './routes'
import { Failure, Skeleton } from './ui'
import { words } from './words'

/** Everything around a page: the navigation, the environment, and who is logged in. */
export function Shell({ viewer, reload }: { viewer: ViewerQuery; reload: () => void }) {
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
          <Button
            look="quiet"
            className="toggle"
            icon={open ? X : MenuIcon}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            Menu
          </Button>
        </div>
        <EnvironmentMenu viewer={viewer} />
        <nav aria-label="Pages">
          {navigation.map((group) => (
            <div key={group.name} className="group">
              {group.name && <span className="group-name">{group.name}</span>}
              <ul>
                {group.pages.map(({ name, path: to, icon: Icon, needs = 'VIEWER' }) => (
                  <May needs={needs} key={to}>
                    <li>
                      <Link href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
                        <Icon aria-hidden className="icon" />
                        {name}
                      </Link>
                    </li>
                  </May>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="foot">
          <AccountMenu viewer={viewer} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Broken at={path}>
          <Suspense fallback={<Skeleton />}>
            <Routes viewer={viewer} reload={reload} />
          </Suspense>
        </Broken>
      </main>
    </div>
  )
}

/** Who is logged in, and the way out. */
function AccountMenu({ viewer }: { viewer: ViewerQuery }) {
  const email = viewer.viewer.user?.email
  return (
    <Menu
      trigger={
        <Button look="quiet" className="wide-trigger">
          <CircleUserRound aria-hidden className="icon" />
          <span className="grow">
            <span className="cut">{email}</span>
            <small>{words(viewer.viewer.role)}</small>
          </span>
          <ChevronsUpDown aria-hidden className="icon" />
        </Button>
      }
    >
      <MenuTitle>
        Times are in {Intl.DateTimeFormat().resolvedOptions().timeZone}.
        <Version />
      </MenuTitle>
      <MenuLine />
      <MenuItem icon={LogOut} onSelect={() => logOut().finally(() => location.reload())}>
        Log out
      </MenuItem>
    </Menu>
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
  return version && <span>Carillon {version}</span>
}

/** Which environment everything on the page belongs to. */
function EnvironmentMenu({ viewer }: { viewer: ViewerQuery }) {
  const [error, setError] = useState<Error>()
  const { environment: present } = viewer.viewer as Me
  const { nodes } = viewer.environments
  const choices = nodes.some((e) => e.id === present.id) ? nodes : [present, ...nodes]
  const production = (e: { type: string }) => (e.type === 'PRODUCTION' ? ' (production)' : '')
  const name = choices.find((e) => e.id === present.id)!
  return (
    <div>
      <Menu
        trigger={
          <Button className="wide-trigger" aria-label={`Environment: ${name.name}${production(name)}`}>
            <Server aria-hidden className="icon" />
            <span className="grow">
              {name.name}
              {production(name)}
            </span>
            <ChevronsUpDown aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuTitle>Environment</MenuTitle>
        <MenuChoice
          value={present.id}
          onChange={(id) => switchEnvironment(id).then(() => location.assign('/dashboard/'), setError)}
          options={choices.map((e) => ({ value: e.id, label: e.name + production(e) }))}
        />
      </Menu>
      <Failure error={error} />
    </div>
  )
}
