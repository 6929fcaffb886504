/** The texts of a subscriber's profile, with the labels of their fields. */
export const profileFields = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'E-mail address'],
  ['phone', 'Phone'],
  ['avatar', 'Avatar'],
  ['locale', 'Locale'],
  ['timezone', 'Time zone'],
] as const
