import { useCallback, useEffect, useRef, useState } from 'react'
import { request } from '../api'
import { Based, isConflict } from '../based'
import { APIError } from '../errors'
import { SaveWorkflowDocument, type SaveWorkflowMutation, type WorkflowDefinitionInput } from '../gql'
import { useUnsaved } from '../unsaved'
import { toInput } from './definition'
import { recordIds, withIds } from './ids'

/** What the editor edits of a workflow. */
export type About = { name: string; description: string; definition: WorkflowDefinitionInput }

/** After so long without a change the draft is saved. */
const pause = 700

const retry = 5000

export type Saving = 'saved' | 'waiting' | 'saving' | 'failed'
type Saved = SaveWorkflowMutation['updateWorkflow']['workflow']

/**
 * Saves a draft whenever it changes and then rests, one call at a time, and never over what was saved elsewhere meanwhile: that is a
 * conflict, which ends when rebase takes the other draft as the base, or overwrite sends this one all the same. flush saves at once, and
 * publishes when asked to. page is the address of the page whose tabs keep the draft.
 */
export function useAutosave(
  id: string,
  about: About,
  draftRevision: string,
  page: string,
  onSaved: (saved: Saved) => void,
) {
  const latest = useRef(about)
  latest.current = about
  const stored = useRef(about)
  const [state, setState] = useState<Saving>('saved')
  const [error, setError] = useState<Error>()
  const ids = useRef(recordIds(about.definition.steps))
  const [based] = useState(() => new Based<About, Saved>(draftRevision, (saved) => saved.draftRevision))
  const running = useRef<Promise<unknown>>(Promise.resolve())
  const under = useRef<About>(undefined) // what is being saved
  const done = useRef(onSaved)
  done.current = onSaved
  const clean = useUnsaved(state === 'failed' ? about : stored.current, page)

  /** Whether the draft is neither what is stored nor what is being saved. */
  const isPending = useCallback(() => based.unclear || latest.current !== (under.current ?? stored.current), [based])
  const send = useCallback(
    (publish: boolean): Promise<Saved | undefined> => {
      const by = (publish: boolean) => async (sent: About, draftRevision: string | undefined) => {
        const input = { id, ...whole(sent, ids.current), draftRevision, publish }
        const {
          updateWorkflow: { workflow: saved },
        } = await request(SaveWorkflowDocument, { input })
        ids.current = recordIds(toInput(saved.draft).steps)
        stored.current = sent
        setError(undefined)
        setState(latest.current === sent ? 'saved' : 'waiting')
        clean(sent)
        done.current(saved)
        return saved
      }
      const turn = running.current.then(async () => {
        setState('saving')
        under.current = latest.current
        try {
          return await based.save(under.current, by(publish), by(false))
        } catch (e) {
          setError(e as Error)
          setState('failed')
          return undefined
        } finally {
          under.current = undefined
        }
      })
      running.current = turn
      return turn
    },
    [id, clean, based],
  )

  const conflict = isConflict(error)
  const seen = useRef(about)
  useEffect(() => {
    if (about === seen.current || conflict) return
    seen.current = about
    setState('waiting')
  }, [about, conflict])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause anew.
  useEffect(() => {
    if (state !== 'waiting') return
    if (!isPending() && !under.current) {
      setError(undefined) // what was refused is undone
      setState('saved')
      return
    }
    const timer = setTimeout(() => void send(false), pause)
    return () => clearTimeout(timer)
  }, [state, about, send, isPending])
  // What failed for no fault of the draft is tried again.
  const again = error !== undefined && !conflict && !(error instanceof APIError && error.fields.length > 0)
  useEffect(() => {
    if (!again || state !== 'failed') return
    const timer = setTimeout(() => void send(false), retry)
    return () => clearTimeout(timer)
  }, [again, state, send])
  // What is not sent yet is sent when the editor is left.
  useEffect(() => {
    const ask = (e: BeforeUnloadEvent) => latest.current !== stored.current && e.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      if (isPending()) void send(false)
    }
  }, [send, isPending])

  const flush = useCallback(
    async (publish = false) => {
      if (!publish && !isPending() && !under.current) return true
      return (await send(publish)) !== undefined
    },
    [send, isPending],
  )
  const rebase = (theirs: About, draftRevision: string) => {
    ids.current = recordIds(theirs.definition.steps)
    based.base = draftRevision
    stored.current = theirs
    setError(undefined)
    setState('saved')
    clean(theirs)
  }
  const overwrite = () => {
    based.base = undefined
    return send(false)
  }
  return {
    state,
    error,
    conflict,
    flush,
    rebase,
    overwrite,
    fields: error instanceof APIError ? error.fields.length : 0,
  }
}

const whole = (about: About, ids: ReadonlyMap<string, string>) => ({
  ...about,
  definition: { ...about.definition, steps: withIds(about.definition.steps, ids) },
})
