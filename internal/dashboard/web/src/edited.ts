import { useRef, useState } from 'react'
import type { Action } from './api'
import { type FieldError, parseJSON } from './errors'
import { t } from './text/text'
import { useUnsaved } from './unsaved'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields of values that differ from those of base. */
export const changesOf = <V extends object>(base: V, values: V): Partial<V> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !same(value, base[name as keyof V])),
  ) as Partial<V>

/** The fields of an input with these names. */
export const pick = <I extends object>(input: I, names: readonly string[]): Partial<I> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name))) as Partial<I>

/** The names of the changes whose fields have got another value since base elsewhere, where it is theirs, and not the same one. */
export const conflictsOf = <V extends object>(base: V, changes: Partial<V>, theirs: V): (keyof V & string)[] =>
  (Object.keys(changes) as (keyof V & string)[]).filter(
    (name) => !same(theirs[name], base[name]) && !same(theirs[name], changes[name]),
  )

/** The stored values in place of what was sent. What was typed since stays. */
export const adopted = <V extends object>(typed: V, sent: V, stored: V): V =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => {
      const field = name as keyof V
      return [name, same(typed[field], sent[field]) ? value : typed[field]]
    }),
  ) as V

/** Texts as the API takes them: null where there is none. */
export const textsOf = (texts: Record<string, string | undefined>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || null]))

/** What a field of JSON shows of a value. */
export const jsonText = (value: unknown) => (value == null ? '' : JSON.stringify(value, null, 2))

/** The value of a field of JSON by its name, where it was changed. */
export const jsonOf = (field: Record<string, string | undefined>, label: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(field).flatMap(([name, text]) => (text === undefined ? [] : [[name, parseJSON(text, label, name)]])),
  )

const shown = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' || value == null ? '–' : text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** What is wrong with the fields of a conflict: each says what it has become elsewhere. */
const wrongOf = <V extends object>(theirs: V, names: (keyof V & string)[]): FieldError[] =>
  names.map((path) => ({ path, message: t('conflict.now', { value: shown(theirs[path]) }) }))

/** How the saving of a form goes. A conflict has the fields that were changed elsewhere as well, and asks which value remains. */
export type Edit = Pick<Action<never>, 'busy' | 'error'> & {
  conflict?: { fields: readonly FieldError[]; onTheirs: () => Promise<unknown>; onMine: () => Promise<unknown> }
}

/**
 * What a form holds of a record: values, by the names of the fields of the input that changes it. Saving sends only those that the person
 * changed, so that what others change meanwhile stays, and none that was changed elsewhere as well: that is a conflict.
 */
export function useEdited<R, V extends object>({
  of,
  valuesOf,
  read,
  send,
  onSaved,
}: {
  of: R
  valuesOf: (record: R) => V
  /** Reads the record as it is now. */
  read: () => Promise<R>
  /** Sends changes, by which the values become mine; what is stored now is theirs. */
  send: (changes: Partial<V>, mine: V, theirs: V) => Promise<unknown>
  onSaved: () => void
}) {
  const [base, setBase] = useState(() => valuesOf(of))
  const [values, setValues] = useState(base)
  const [state, setState] = useState<{ busy: boolean; saved?: boolean; error?: Error; theirs?: V }>({ busy: false })
  const typed = useRef(values)
  typed.current = values
  const keep = useUnsaved(values)
  const adopt = (sent: V, stored: V) => {
    setBase(stored)
    setValues(adopted(typed.current, sent, stored))
    keep(stored)
  }
  /** Saves over what is known to be stored. */
  const saveOver = async (known: V) => {
    const sent = values
    const changes = changesOf(base, sent)
    setState({ busy: true })
    try {
      const theirs = valuesOf(await read())
      if (conflictsOf(known, changes, theirs).length > 0) {
        setState({ busy: false, theirs })
        return
      }
      if (Object.keys(changes).length > 0) await send(changes, sent, theirs)
      adopt(sent, await read().then(valuesOf, () => ({ ...theirs, ...changes })))
      setState({ busy: false, saved: true })
      onSaved()
    } catch (error) {
      setState({ busy: false, error: error as Error })
    }
  }
  const { theirs } = state
  const changed = !same(values, base)
  return {
    values,
    set: (change: Partial<V>) => setValues((old) => ({ ...old, ...change })),
    save: () => saveOver(base),
    /** Whether there is something to save. */
    changed,
    /** Whether what is shown was saved last. */
    saved: state.saved === true && !changed,
    busy: state.busy,
    error: state.error,
    conflict: theirs && {
      fields: wrongOf(theirs, conflictsOf(base, changesOf(base, values), theirs)),
      onTheirs: async () => {
        const lost = conflictsOf(base, changesOf(base, values), theirs)
        setValues({ ...values, ...Object.fromEntries(lost.map((name) => [name, theirs[name]])) })
        setBase({ ...base, ...Object.fromEntries(lost.map((name) => [name, theirs[name]])) })
        setState({ busy: false })
      },
      onMine: () => saveOver(theirs),
    },
  }
}
