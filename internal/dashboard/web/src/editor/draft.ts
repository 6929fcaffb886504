import { useCallback, useState } from 'react'
import type { WorkflowQuery } from '../gql'
import { t } from '../text/text'
import { type About, useAutosave } from './autosave'
import { toInput } from './definition'
import { begin, change, redo, replace, undo } from './history'

type Workflow = WorkflowQuery['workflowByReference']

const aboutOf = (w: Workflow): About => ({ name: w.name, description: w.description, definition: toInput(w.draft) })

/**
 * The draft of a workflow while its page is open, on whichever tab: what is edited, with its history, and how it is saved. page is the
 * page's address.
 */
export function useDraft(w: Workflow, page: string, reload: () => void) {
  const [history, setHistory] = useState(() => begin(aboutOf(w)))
  const [notice, setNotice] = useState('')
  const save = useAutosave(w.id, history.present, w.draftRevision, page, (saved) => {
    if (saved.publishedNumber > w.publishedNumber) setNotice(t('editor.publishedAs', { n: saved.publishedNumber }))
    reload()
  })
  const set = useCallback((next: About) => {
    setNotice('')
    setHistory((h) => change(h, next, Date.now()))
  }, [])
  const put = (next: About) => {
    setNotice('')
    setHistory((h) => replace(h, next))
  }
  return {
    about: history.present,
    set,
    /** Sets what was taken from elsewhere, a version for example, as one step. */
    put,
    undo: history.past.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redo) : undefined,
    /** What was done last; '' once something is edited. */
    notice,
    save,
    /** Continues from the draft of w as it is stored; undo brings back what was edited. */
    take: (w: Workflow) => {
      const next = aboutOf(w)
      save.rebase(next, w.draftRevision)
      put(next)
      reload()
    },
  }
}

export type Draft = ReturnType<typeof useDraft>
