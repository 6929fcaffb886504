import { Rocket } from 'lucide-react'
import { useState } from 'react'
import { useQuery } from '../api'
import { Button } from '../button'
import { LiveDefinitionDocument, type WorkflowDefinitionInput, type WorkflowQuery } from '../gql'
import { Dialog } from '../overlay'
import { Issues } from '../pages/workflow-state'
import { t } from '../text/text'
import { Badge, Load, Note, Skeleton, type Tone } from '../ui'
import type { About } from './autosave'
import { type Change, changes } from './changes'
import { toInput } from './definition'

/** What publishing would change for the next trigger, and what is wrong with it. */
export function Publish({
  w,
  draft,
  ready,
  onPublish,
  onClose,
}: {
  w: WorkflowQuery['workflowByReference']
  draft: About
  /** Whether the draft is saved, so that its issues are known. */
  ready: boolean
  onPublish: () => Promise<void>
  onClose: () => void
}) {
  const live = useQuery(LiveDefinitionDocument, { reference: w.identifier })
  const [busy, setBusy] = useState(false)
  const publish = async () => {
    setBusy(true)
    await onPublish()
    setBusy(false)
  }
  return (
    <Dialog title={t('publish.publishName', { name: draft.name })} onClose={onClose}>
      {ready ? <Issues of={w.issues} /> : <Skeleton rows={2} />}
      <Load of={live}>
        {({ workflowByReference: { published } }) =>
          published ? (
            <>
              <h3>{t('publish.changesSince', { n: published.number })}</h3>
              <Changes before={toInput(published.definition)} after={draft.definition} />
            </>
          ) : (
            <p>{t('publish.thisIsTheFirstVersion')}</p>
          )
        }
      </Load>
      {!w.active && <Note tone="wait">{t('publish.theWorkflowIsOffTriggers')}</Note>}
      <div className="row end">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button icon={Rocket} look="primary" disabled={busy || !ready} onClick={publish}>
          {t('common.publish')}
        </Button>
      </div>
    </Dialog>
  )
}

const tones: Record<Change['kind'], Tone> = { added: 'good', removed: 'bad', moved: '', changed: 'wait' }

function Changes({ before, after }: { before: WorkflowDefinitionInput; after: WorkflowDefinitionInput }) {
  const all = changes(before, after)
  if (all.length === 0) return <p className="soft">{t('publish.noChangesTheDraftEquals')}</p>
  return (
    <ul className="bare changes">
      {all.map((c, i) => (
        <li key={i}>
          <div className="row">
            <Badge tone={tones[c.kind]}>{t(`publish.kind.${c.kind}`)}</Badge>
            <strong>{c.step ?? t('workflowpanel.workflowSettings')}</strong>
          </div>
          {c.fields.map((f) => (
            <div key={f.path} className="change words">
              <code>{f.path}</code>
              {f.before !== undefined && <del>{f.before}</del>}
              {f.after !== undefined && <ins>{f.after}</ins>}
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}
