import { createContext, type ReactNode, useContext } from 'react'
import type { MemberRole, ViewerRole } from './gql'
import { includesRole } from './ranks'
import { t } from './text/text'
import { words } from './words'

/** What the person who is logged in may do. The server decides; the page only leaves out what it would refuse. */
export const Role = createContext<ViewerRole>('OWNER')

export function useMay(needs: MemberRole): boolean {
  return includesRole(useContext(Role), needs)
}

/** What only people of a role, or of a higher one, see. */
export function May({ needs = 'EDITOR', children }: { needs?: MemberRole; children: ReactNode }) {
  return useMay(needs) ? children : null
}

/** Says why people of a lower role cannot change what they see. */
export function ReadOnly({ needs = 'EDITOR' }: { needs?: MemberRole }) {
  return useMay(needs) ? null : <p className="soft small">{t('role.readOnly', { role: words(needs) })}</p>
}
