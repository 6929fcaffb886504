import { Fragment, type ReactNode } from 'react'
import { type Key, t } from './text'

/** A text with elements filled in where it names them. */
export const rich = (key: Key, values: Readonly<Record<string, ReactNode>>): ReactNode[] =>
  t(key)
    .split(/(\{\w+\})/)
    .map((part, i) => <Fragment key={i}>{values[part.slice(1, -1)] ?? part}</Fragment>)
