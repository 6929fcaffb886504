import { createContext, useContext } from 'react'
import type { WorkflowQuery, WorkflowStepInput } from '../gql'
import type { Example } from './preview'

/** What lies around the part of a workflow that is edited: its fields are completed and checked with it. */
export type Around = {
  /** The workflow's identifier; '' outside of a workflow. */
  workflow: string
  payloadSchema?: unknown
  /** The steps before the one that is edited. */
  earlier: readonly WorkflowStepInput[]
  /** What the server found in the step when the draft was saved. */
  issues?: WorkflowQuery['workflowByReference']['issues']
  example: Example
  onExample: (e: Example) => void
}

const nowhere: Around = { workflow: '', earlier: [], example: { payload: '', subscriberId: '' }, onExample: () => {} }

export const AroundContext = createContext<Around>(nowhere)
export const useAround = () => useContext(AroundContext)
