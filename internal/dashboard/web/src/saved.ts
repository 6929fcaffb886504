import { useState } from 'react'
import { Based, isConflict } from './based'
import { useUnsaved } from './unsaved'

/** How the saving of a form goes. */
export type Saving = Omit<ReturnType<typeof useSaved<unknown>>, 'rebase'>

/**
 * Saves what a form edits of a record, and never over what was saved elsewhere meanwhile: that is a conflict, which ends when rebase takes
 * the other value as the base, or overwrite sends this one all the same. send answers the revision of what it has stored.
 */
export function useSaved<T>(
  value: T,
  revision: string,
  send: (value: T, base: string | undefined) => Promise<string>,
  onSaved: () => void,
) {
  const [based] = useState(() => new Based<T, string>(revision, (stored) => stored))
  const [state, setState] = useState<{ busy: boolean; saved?: T; error?: Error }>({ busy: false })
  const stored = useUnsaved(value)
  const save = async () => {
    setState({ busy: true })
    try {
      await based.save(value, send)
      setState({ busy: false, saved: value })
      stored(value)
      onSaved()
    } catch (error) {
      setState({ busy: false, error: error as Error })
    }
  }
  const conflict = isConflict(state.error)
  return {
    busy: state.busy,
    error: conflict ? undefined : state.error,
    conflict,
    /** Whether the value is stored as it is. */
    saved: state.saved === value,
    save,
    overwrite: () => {
      based.base = undefined
      return save()
    },
    rebase: (theirs: T, revision: string) => {
      based.base = revision
      stored(theirs)
      setState({ busy: false })
    },
  }
}
