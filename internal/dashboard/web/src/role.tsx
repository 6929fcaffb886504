import { createContext, useContext, type ReactNode } from 'react'
import type { MemberRole, ViewerRole } from './gql'

export const ranks: Record<ViewerRole, number> = {
  KEY: 0,
  ORGANIZATION_KEY: 0,
  VIEWER: 1,
  EDITOR: 2,
  ADMIN: 3,
  OWNER: 4,
}

/** What the person who is logged in may do. The server decides; the page only leaves out what it would refuse. */
export const Role = createContext<ViewerRole>('OWNER')

export function useMay(needs: MemberRole): boolean {
  return ranks[useContext(Role)] >= ranks[needs]
}

/** What only people of a role, or of a higher one, see. */
export function May({ needs = 'EDITOR', children }: { needs?: MemberRole; children: ReactNode }) {
  return useMay(needs) ? children : null
}
