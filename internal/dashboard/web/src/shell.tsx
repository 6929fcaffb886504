import {
  ChevronsUpDown,
  CircleUserRound,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  Search,
  Server,
  UsersRound,
  X,
} from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { logOut, request, sessionState, switchEnvironment } from './api'
import { Broken } from './broken'
import { Button } from './button'
import { environmentIn, withEnvironment } from './environment'
import { LogOutEverywhereDocument, ViewerDocument, type ViewerQuery } from './gql'
import icon from './icon.svg'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuTitle } from './overlay'
import { isAt, membersPath, navigation } from './pages'
import { part } from './part'
import type { Me } from './records'
import { May } from './role'
import { Routes } from './routes'
import { Keys, ShortcutList, shortcuts, useShortcuts } from './shortcuts'
import { chooseLanguage, language, languages, t } from './text/text'
import { Toasts } from './toast'
import { Failure, Skeleton } from './ui'
import { leave } from './unsaved'
import { words } from './words'

const Palette = part(
  () => import('./palette').then((m) => m.Palette),
  () => null,
)

/** Everything around a page: the navigation, the environment, and who is logged in. */
export function Shell({ viewer, reload }: { viewer: ViewerQuery; reload: () => void }) {
  const [open, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const [over, setOver] = useState<'palette' | 'shortcuts'>()
  const [path, go] = useLocation()
  useShortcuts({
    'mod k': () => setOver(over === 'palette' ? undefined : 'palette'),
    '?': () => setOver('shortcuts'),
    '/': () => document.querySelector<HTMLElement>('#content [role=search] input')?.focus(),
    ...Object.fromEntries(shortcuts.flatMap(({ keys, to }) => (to ? [[keys, () => go(to)]] : []))),
  })
  const elsewhere = useEnvironment(viewer)
  useReturn(viewer)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page counts, not what it is called.
  useEffect(() => setOpen(false), [path])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('shell.skip')}
      </a>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the key from the controls within it. */}
      <header
        className={open ? 'side open' : 'side'}
        onKeyDown={(e) => {
          // A menu within it closes first; a page's own Escape is not meant.
          if (!open || e.key !== 'Escape' || e.defaultPrevented) return
          e.preventDefault()
          setOpen(false)
          toggle.current?.focus()
        }}
      >
        <div className="top">
          <span className="brand">
            <img src={icon} alt="" />
            Carillon
          </span>
          <Button
            ref={toggle}
            look="quiet"
            className="toggle"
            icon={open ? X : MenuIcon}
            aria-expanded={open}
            onClick={(e) => {
              setOpen(!open)
              e.currentTarget.focus() // Safari leaves it elsewhere, where Escape is not heard
            }}
          >
            {t('shell.menu')}
          </Button>
        </div>
        <EnvironmentMenu viewer={viewer} />
        <Button className="wide-trigger search" onClick={() => setOver('palette')}>
          <Search aria-hidden className="icon" />
          <span className="grow soft">{t('shell.search')}</span>
          <Keys of="mod k" />
        </Button>
        <nav aria-label={t('shell.navigation')}>
          {navigation.map((group) => (
            <div key={String(group.name)} className="group">
              {group.name && <span className="group-name">{t(group.name)}</span>}
              <ul>
                {group.pages.map(({ name, path: to, icon: Icon, needs = 'VIEWER' }) => (
                  <May needs={needs} key={to}>
                    <li>
                      <Link href={to} aria-current={isAt(path, to) ? 'page' : undefined}>
                        <Icon aria-hidden className="icon" />
                        {t(name)}
                      </Link>
                    </li>
                  </May>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="foot">
          <AccountMenu viewer={viewer} onShortcuts={() => setOver('shortcuts')} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Broken at={path}>
          <Suspense fallback={<Skeleton />}>
            {elsewhere ? <Skeleton /> : <Routes viewer={viewer} reload={reload} />}
            <Arrival at={path} />
          </Suspense>
        </Broken>
      </main>
      <Toasts />
      {over === 'palette' && (
        <Palette viewer={viewer} onClose={() => setOver(undefined)} onList={() => setOver('shortcuts')} />
      )}
      {over === 'shortcuts' && <ShortcutList onClose={() => setOver(undefined)} />}
    </div>
  )
}

/**
 * Gives a page the focus when what had it has gone with the page before. It waits with the page for its code: until then, the page
 * before is there, though hidden.
 */
function Arrival({ at }: { at: string }) {
  const before = useRef('/')
  useEffect(() => {
    if (before.current !== '/' && before.current !== at && document.activeElement === document.body)
      document.getElementById('content')?.focus()
    before.current = at
  }, [at])
  return null
}

/**
 * Keeps the environment in the address, so that a link shows others the same. An address of another environment leads there
 * first; the result is true meanwhile. One of an environment that the person cannot see is of the current one.
 */
function useEnvironment(viewer: ViewerQuery): boolean {
  const { environment } = viewer.viewer as Me
  const [wanted] = useState(() => {
    const named = environmentIn(location.href)
    return viewer.environments.nodes.find((e) => e.identifier === named && e.id !== environment.id)
  })
  const [failed, setFailed] = useState(false)
  const elsewhere = wanted !== undefined && !failed
  useSearch() // it may change without the page
  useEffect(() => {
    if (elsewhere) return
    const named = withEnvironment(location.href, environment.identifier)
    if (named !== location.href) history.replaceState(history.state, '', named)
  })
  useEffect(() => {
    if (wanted)
      switchEnvironment(wanted.id).then(
        () => location.reload(),
        () => setFailed(true),
      )
  }, [wanted])
  return elsewhere
}

/**
 * A page that comes back by the browser's history as it was left, as Firefox and Safari keep pages, may be of a person who logged out
 * meanwhile, or of an environment that was left.
 */
function useReturn({ viewer: { user, environment } }: ViewerQuery) {
  const of = `${user?.email} ${environment?.id}`
  useEffect(() => {
    const shown = (e: PageTransitionEvent) => {
      if (!e.persisted) return
      request(ViewerDocument, {}).then(
        ({ viewer: now }) => `${now.user?.email} ${now.environment?.id}` !== of && location.reload(),
        () => {}, // that the person is logged out, request says
      )
    }
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [of])
}

/** Who is logged in, and the way out. */
function AccountMenu({ viewer, onShortcuts }: { viewer: ViewerQuery; onShortcuts: () => void }) {
  const email = viewer.viewer.user?.email
  const [, go] = useLocation()
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
        {t('shell.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        <Version />
      </MenuTitle>
      <MenuLine />
      <MenuTitle>{t('shell.language')}</MenuTitle>
      <MenuChoice
        value={language()}
        onChange={chooseLanguage}
        options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      />
      <MenuLine />
      <MenuItem icon={UsersRound} onSelect={() => go(membersPath)}>
        {t('nav.members')}
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={onShortcuts}>
        {t('shortcut.title')}
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => leave(() => void logOut().finally(() => location.reload()))}>
        {t('shell.logOut')}
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => logOutEverywhere().finally(() => location.reload())}>
        {t('shell.logOutEverywhere')}
      </MenuItem>
    </Menu>
  )
}

const logOutEverywhere = () => request(LogOutEverywhereDocument, {}).finally(logOut)

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
  const production = (e: { type: string }) => (e.type === 'PRODUCTION' ? ` (${t('shell.production')})` : '')
  const name = choices.find((e) => e.id === present.id)!
  return (
    <div>
      <Menu
        trigger={
          <Button className="wide-trigger" aria-label={`${t('word.ENVIRONMENT')}: ${name.name}${production(name)}`}>
            <Server aria-hidden className="icon" />
            <span className="grow">
              {name.name}
              {production(name)}
            </span>
            <ChevronsUpDown aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuTitle>{t('word.ENVIRONMENT')}</MenuTitle>
        <MenuChoice
          value={present.id}
          onChange={(id) =>
            leave(() => void switchEnvironment(id).then(() => location.assign('/dashboard/'), setError))
          }
          options={choices.map((e) => ({ value: e.id, label: e.name + production(e) }))}
        />
      </Menu>
      <Failure error={error} />
    </div>
  )
}
