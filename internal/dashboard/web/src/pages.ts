import {
  Activity,
  BellRing,
  Blocks,
  Braces,
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  FileClock,
  HeartPulse,
  Inbox,
  Languages,
  Layers,
  LayoutTemplate,
  ListFilter,
  type LucideIcon,
  MailCheck,
  MailX,
  Megaphone,
  MessagesSquare,
  Pause,
  Plug,
  Reply,
  Rocket,
  Rss,
  Server,
  UsersRound,
  Variable,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { MemberRole } from './gql'
import type { Key } from './text/text'

/** A page of the navigation. */
export type PageLink = { name: Key; path: string; icon: LucideIcon; needs?: MemberRole }

/** The pages of the navigation, by what they are for. */
export const navigation: { name?: Key; pages: PageLink[] }[] = [
  {
    pages: [
      { name: 'nav.overview', path: '/overview', icon: ChartNoAxesColumn },
      { name: 'nav.activity', path: '/activity', icon: Activity },
      { name: 'nav.health', path: '/health', icon: HeartPulse },
      { name: 'nav.alerts', path: '/alerts', icon: BellRing },
    ],
  },
  {
    name: 'nav.group.content',
    pages: [
      { name: 'nav.workflows', path: '/workflows', icon: Workflow },
      { name: 'nav.layouts', path: '/layouts', icon: LayoutTemplate },
      { name: 'nav.snippets', path: '/snippets', icon: Blocks },
      { name: 'nav.translations', path: '/translations', icon: Languages },
      { name: 'nav.feeds', path: '/feeds', icon: Rss },
      { name: 'nav.variables', path: '/variables', icon: Variable },
    ],
  },
  {
    name: 'nav.group.people',
    pages: [
      { name: 'nav.subscribers', path: '/subscribers', icon: UsersRound },
      { name: 'nav.topics', path: '/topics', icon: MessagesSquare },
      { name: 'nav.audiences', path: '/audiences', icon: ListFilter },
      { name: 'nav.tenants', path: '/tenants', icon: Building2 },
      { name: 'nav.contexts', path: '/contexts', icon: Braces },
      { name: 'nav.suppressions', path: '/suppressions', icon: MailX },
    ],
  },
  {
    name: 'nav.group.delivery',
    pages: [
      { name: 'nav.integrations', path: '/integrations', icon: Plug },
      { name: 'nav.receipts', path: '/receipts', icon: MailCheck },
      { name: 'nav.replies', path: '/replies', icon: Reply },
      { name: 'nav.digests', path: '/digests', icon: Layers },
      { name: 'nav.catcher', path: '/catcher', icon: Inbox },
      { name: 'nav.webhooks', path: '/webhooks', icon: Webhook },
      { name: 'nav.broadcasts', path: '/broadcasts', icon: Megaphone },
      { name: 'nav.schedules', path: '/schedules', icon: CalendarClock },
      { name: 'nav.repairs', path: '/repairs', icon: Pause },
    ],
  },
  {
    name: 'nav.group.administration',
    pages: [
      { name: 'nav.promote', path: '/promote', icon: Rocket },
      { name: 'nav.environments', path: '/environments', icon: Server },
      { name: 'nav.audit', path: '/audit', icon: FileClock, needs: 'ADMIN' },
    ],
  },
]

/** The page of the members and of the person's own account, a tab of the environments. */
export const membersPath = '/environments/members'

/** Reports whether an address is that of a page or of something on it. */
export const isAt = (path: string, page: string) => path === page || path.startsWith(`${page}/`)
