import type { Catalogue } from '../text'
import { common } from './common'
import { delivery } from './delivery'
import { editor } from './editor'
import { organization } from './organization'
import { people } from './people'
import { shell } from './shell'
import { workflows } from './workflows'

/** All texts in German. */
export const de: Catalogue = { ...common, ...delivery, ...editor, ...organization, ...people, ...shell, ...workflows }
