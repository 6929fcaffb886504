import { useCallback, useEffect, useRef, useState } from 'react'
import { request } from '../api'
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

/** Saves a draft whenever it changes and then rests, one call at a time. flush saves at once, and publishes when asked to. */
export function useAutosave(id: string, about: About, onSaved: (saved: Saved) => void) {
  const latest = useRef(about)
  latest.current = about
  const stored = useRef(about)
  const [state, setState] = useState<Saving>('saved')
  const [error, setError] = useState<Error>()
  const ids = useRef(recordIds(about.definition.steps))
  const running = useRef<Promise<unknown>>(undefined)
  const done = useRef(onSaved)
  done.current = onSaved
  const clean = useUnsaved(state === 'failed' ? about : stored.current)

  const send = useCallback(
    async (publish: boolean): Promise<Saved | undefined> => {
      await running.current
      const sent = latest.current
      setState('saving')
      const call = request(SaveWorkflowDocument, { input: { id, ...whole(sent, ids.current), publish } })
      running.current = call.catch(() => {})
      try {
        const {
          updateWorkflow: { workflow: saved },
        } = await call
        ids.current = recordIds(toInput(saved.draft).steps)
        stored.current = sent
        setError(undefined)
        setState(latest.current === sent ? 'saved' : 'waiting')
        clean(sent)
        done.current(saved)
        return saved
      } catch (e) {
        setError(e as Error)
        setState('failed')
        return undefined
      }
    },
    [id, clean],
  )

  useEffect(() => {
    if (about === stored.current) return
    setState('waiting')
    const timer = setTimeout(() => void send(false), pause)
    return () => clearTimeout(timer)
  }, [about, send])
  // What failed for no fault of the draft is tried again.
  const again = error !== undefined && !(error instanceof APIError && error.fields.length > 0)
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
      if (latest.current !== stored.current) void send(false)
    }
  }, [send])

  const flush = useCallback(
    async (publish = false) => {
      if (!publish && latest.current === stored.current) return true
      return (await send(publish)) !== undefined
    },
    [send],
  )
  return { state, error, flush, fields: error instanceof APIError ? error.fields.length : 0 }
}

const whole = (about: About, ids: ReadonlyMap<string, string>) => ({
  ...about,
  definition: { ...about.definition, steps: withIds(about.definition.steps, ids) },
})
