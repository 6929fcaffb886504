/** The texts of a subscriber's profile. */
export const profileFields = ['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'] as const

export type ProfileField = (typeof profileFields)[number]
