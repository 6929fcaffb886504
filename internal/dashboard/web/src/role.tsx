import { createContext, type ReactNode, useContext } from 'react'
import type { MemberRole, ViewerRole } from './gql'
import { includesRole } from './ranks'

/** What the person who is logged in may do. The server decides; the page only leaves out what it would refuse. */
export const Role = createContext<ViewerRole>('OWNER')

export function useMay(needs: MemberRole): boolean {
  return includesRole(useContext(Role), needs)
}

/** What only people of a role, or of a higher one, see. */
export function May({ needs = 'EDITOR', children }: { needs?: MemberRole; children: ReactNode }) {
  return useMay(needs) ? children : null
}
