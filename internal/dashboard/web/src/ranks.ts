import type { MemberRole, ViewerRole } from './gql'

const ranks: Record<ViewerRole, number> = { KEY: 0, ORGANIZATION_KEY: 0, VIEWER: 1, EDITOR: 2, ADMIN: 3, OWNER: 4 }

export const memberRoles: MemberRole[] = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']

/** Reports whether a role includes everything that another one allows. */
export const includesRole = (role: ViewerRole, needs: ViewerRole) => ranks[role] >= ranks[needs]

/** The roles that a member of a role may give and take: none is above the member's own. */
export const rolesUpTo = (role: ViewerRole) => memberRoles.filter((r) => includesRole(role, r))
