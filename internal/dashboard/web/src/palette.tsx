import * as Radix from '@radix-ui/react-dialog'
import { Command } from 'cmdk'
import {
  CornerDownRight,
  Languages,
  LogOut,
  type LucideIcon,
  Search,
  Server,
  User,
  UsersRound,
  Workflow,
} from 'lucide-react'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { logOut, switchEnvironment, useQuery } from './api'
import { FindDocument, type FindQuery, type ViewerQuery } from './gql'
import { Shown } from './overlay'
import { membersPath, navigation } from './pages'
import type { Me } from './records'
import { useMay } from './role'
import { useSettled } from './settled'
import { Keys, shortcuts } from './shortcuts'
import { chooseLanguage, language, languages, t } from './text/text'
import { leave } from './unsaved'

type Doing = { id: string; name: string; icon: LucideIcon; run: () => void; keys?: string }

/** What a command is known by; it is what cmdk compares with the text, and what it calls the chosen one. */
const commandValue = (d: Doing) => `${d.name} ${d.id}`.trim()

/** Goes anywhere and does everything, by typing. */
export function Palette({ viewer, onClose, onList }: { viewer: ViewerQuery; onClose: () => void; onList: () => void }) {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  const wanted = useSettled(text.trim())
  const found = useQuery(FindDocument, { text: wanted, ids: [wanted] }, wanted.length < 2)
  const [chosen, setChosen] = useState('')
  // What was searched for is chosen before all else, as soon as it is there.
  useEffect(() => {
    const [first] = found.data ? results(found.data, go) : []
    if (first) setChosen(commandValue(first))
  }, [found.data, go])
  const at = (to: string) => () => go(to)
  const admin = useMay('ADMIN')
  const { environment } = viewer.viewer as Me
  const pages: Doing[] = navigation
    .flatMap((group) => group.pages)
    .filter((page) => page.needs !== 'ADMIN' || admin)
    .map(({ name, path, icon }) => ({
      id: path,
      name: t(name),
      icon,
      run: at(path),
      keys: shortcuts.find((s) => s.to === path)?.keys,
    }))
  const members = { id: membersPath, name: t('nav.members'), icon: UsersRound, run: at(membersPath) }
  const doings: Doing[] = [
    { id: 'shortcuts', name: t('shortcut.title'), icon: CornerDownRight, run: onList, keys: '?' },
    ...viewer.environments.nodes
      .filter((e) => e.id !== environment.id)
      .map((e) => ({
        id: e.id,
        name: t('palette.environment', { name: e.name }),
        icon: Server,
        run: () => void switchEnvironment(e.id).then(() => location.assign('/dashboard/')),
      })),
    ...Object.entries(languages)
      .filter(([code]) => code !== language())
      .map(([code, name]) => ({
        id: code,
        name: t('palette.language', { name }),
        icon: Languages,
        run: () => chooseLanguage(code),
      })),
    {
      id: 'out',
      name: t('shell.logOut'),
      icon: LogOut,
      run: () => leave(() => void logOut().finally(() => location.reload())),
    },
  ]
  const group = (heading: string, all: Doing[], always?: boolean): ReactNode =>
    all.length > 0 && (
      <Command.Group heading={heading}>
        {all.map((d) => (
          <Command.Item
            key={d.id}
            value={commandValue(d)}
            keywords={always ? [text] : undefined}
            onSelect={() => {
              onClose()
              d.run()
            }}
          >
            <d.icon aria-hidden className="icon" />
            <span className="grow">{d.name}</span>
            {d.keys && <Keys of={d.keys} />}
          </Command.Item>
        ))}
      </Command.Group>
    )
  return (
    <Radix.Root open={useContext(Shown)} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="backdrop" />
        <Radix.Content className="palette" aria-describedby={undefined}>
          <Radix.Title className="hidden">{t('palette.title')}</Radix.Title>
          <Command label={t('palette.title')} loop value={chosen} onValueChange={setChosen}>
            <div className="palette-input">
              <Search aria-hidden className="icon" />
              <Command.Input value={text} onValueChange={setText} placeholder={t('palette.hint')} />
            </div>
            <Command.List label={t('palette.title')}>
              <Command.Empty>{found.loading ? t('ui.loading') : t('palette.none')}</Command.Empty>
              {found.data && wanted.length > 1 && group(t('palette.found'), results(found.data, go), true)}
              {group(t('palette.pages'), [...pages, members])}
              {group(t('palette.actions'), doings)}
              {text.trim() &&
                group(
                  t('palette.search'),
                  [
                    ['transaction', 'palette.transaction'],
                    ['subscriber', 'palette.runsOf'],
                  ].map(([name, key]) => ({
                    id: name!,
                    name: t(key as 'palette.transaction', { text: text.trim() }),
                    icon: Search,
                    run: at(`/activity?${name}=${encodeURIComponent(text.trim())}`),
                  })),
                  true,
                )}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function results(of: FindQuery, go: (to: string) => void): Doing[] {
  const people = new Map([...of.byId.nodes, ...of.byName.nodes].map((s) => [s.subscriberId, s]))
  return [
    ...of.workflows.nodes.map((w) => ({
      id: `workflow ${w.identifier}`,
      name: w.name,
      icon: Workflow,
      run: () => go(`/workflows/${encodeURIComponent(w.identifier)}`),
    })),
    ...[...people.values()].map((s) => ({
      id: `subscriber ${s.subscriberId}`,
      name: [s.subscriberId, s.firstName, s.lastName].filter(Boolean).join(' '),
      icon: User,
      run: () => go(`/subscribers/${encodeURIComponent(s.subscriberId)}`),
    })),
  ]
}
