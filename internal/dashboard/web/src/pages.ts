import {
  Activity,
  Blocks,
  Building2,
  ChartNoAxesColumn,
  FileClock,
  Inbox,
  Languages,
  LayoutTemplate,
  type LucideIcon,
  MessagesSquare,
  Plug,
  Rocket,
  Server,
  UsersRound,
  Variable,
  Workflow,
} from 'lucide-react'
import type { MemberRole } from './gql'

/** A page of the navigation. */
export type PageLink = { name: string; path: string; icon: LucideIcon; needs?: MemberRole }

/** The pages of the navigation, by what they are for. */
export const navigation: { name: string; pages: PageLink[] }[] = [
  {
    name: '',
    pages: [
      { name: 'Overview', path: '/overview', icon: ChartNoAxesColumn },
      { name: 'Activity', path: '/activity', icon: Activity },
    ],
  },
  {
    name: 'Content',
    pages: [
      { name: 'Workflows', path: '/workflows', icon: Workflow },
      { name: 'Layouts', path: '/layouts', icon: LayoutTemplate },
      { name: 'Snippets', path: '/snippets', icon: Blocks },
      { name: 'Translations', path: '/translations', icon: Languages },
      { name: 'Variables', path: '/variables', icon: Variable },
    ],
  },
  {
    name: 'People',
    pages: [
      { name: 'Subscribers', path: '/subscribers', icon: UsersRound },
      { name: 'Topics', path: '/topics', icon: MessagesSquare },
      { name: 'Tenants', path: '/tenants', icon: Building2 },
    ],
  },
  {
    name: 'Delivery',
    pages: [
      { name: 'Integrations', path: '/integrations', icon: Plug },
      { name: 'Catcher', path: '/catcher', icon: Inbox },
    ],
  },
  {
    name: 'Administration',
    pages: [
      { name: 'Promote', path: '/promote', icon: Rocket },
      { name: 'Environments', path: '/environments', icon: Server },
      { name: 'Audit log', path: '/audit', icon: FileClock, needs: 'ADMIN' },
    ],
  },
]

/** Reports whether an address is that of a page or of something on it. */
export const isAt = (path: string, page: string) => path === page || path.startsWith(`${page}/`)
