import { common } from './common'
import { delivery } from './delivery'
import { editor } from './editor'
import { organization } from './organization'
import { people } from './people'
import { shell } from './shell'
import { workflows } from './workflows'

/** All texts in English. */
export const en = { ...common, ...delivery, ...editor, ...organization, ...people, ...shell, ...workflows }
