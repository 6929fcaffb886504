import { RotateCw, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useQuery } from '../api'
import { Select } from '../form'
import {
  DropDigestDocument,
  type NotificationTraceFragment,
  OpenDigestsDocument,
  RecallDocument,
  ReleaseDigestDocument,
  ReplayNotificationDocument,
  type ReplayVersion,
  ResendMessageDocument,
} from '../gql'
import { Repair } from '../repair'
import { May } from '../role'
import { t } from '../text/text'
import { Card, Facts, Time } from '../ui'

type Run = NotificationTraceFragment

/** Takes a run back as far as it is possible, and replays it from a step on. */
export function RunRepairs({ n, reload }: { n: Run; reload: () => void }) {
  const [, go] = useLocation()
  const steps = [...new Set(n.trace.flatMap((entry) => entry.stepId ?? []))]
  const [step, setStep] = useState(steps[0] ?? '')
  const [version, setVersion] = useState<ReplayVersion>('ORIGINAL')
  return (
    <May>
      <Card title={t('repair.replay')} className="stack only-screen">
        {steps.length > 0 && (
          <div className="filters">
            <Select
              label={t('repair.from')}
              value={step}
              onChange={setStep}
              options={steps.map((s) => ({ value: s, label: s }))}
            />
            <Select
              label={t('common.version')}
              value={version}
              onChange={(v) => setVersion(v as ReplayVersion)}
              options={[
                { value: 'ORIGINAL', label: t('repair.versionThen') },
                { value: 'PUBLISHED', label: t('repair.versionNow') },
              ]}
            />
          </div>
        )}
        <div className="row">
          {steps.length > 0 && (
            <Repair
              label={t('repair.replay')}
              icon={RotateCw}
              document={ReplayNotificationDocument}
              input={{ id: n.internalId, stepId: step, version }}
              says={({ replayNotification: r }) =>
                t('repair.replays', { version: r.versionNumber, steps: r.stepIds.join(', ') })
              }
              done={(r) => go(`/activity/${r.replayNotification.notification.id}`)}
            />
          )}
          <Repair
            label={t('repair.recall')}
            icon={Undo2}
            document={RecallDocument}
            input={{ notificationId: n.internalId }}
            says={({ recall: r }) =>
              `${t(r.stoppedCount ? 'repair.recallStops' : 'repair.recallNothing')} ${t('repair.recallRest', { withdrawn: r.withdrawnCount, deleted: r.recallingCount, left: r.outOfReachCount })}`
            }
            done={reload}
          />
        </div>
      </Card>
      {n.status === 'WAITING' && n.subscriber && n.workflow && (
        <OpenDigest n={n} subscriberId={n.subscriber.subscriberId} workflow={n.workflow.identifier} reload={reload} />
      )}
    </May>
  )
}

/** The open digest window that the run waits with. */
function OpenDigest({
  n,
  subscriberId,
  workflow,
  reload,
}: {
  n: Run
  subscriberId: string
  workflow: string
  reload: () => void
}) {
  const query = useQuery(OpenDigestsDocument, { filter: { statusIn: ['OPEN'], subscriberId, workflow } })
  const own = query.data?.digests.nodes.find((d) => d.notificationId === n.internalId)
  if (!own) return null
  return (
    <Card title={t('repair.digest')}>
      <Facts
        of={{
          [t('word.STEP')]: <code>{own.stepId}</code>,
          [t('repair.closes')]: <Time at={own.closesAt} precise />,
        }}
      />
      <div className="row">
        <Repair
          label={t('repair.release')}
          document={ReleaseDigestDocument}
          input={{ id: own.internalId }}
          says={({ releaseDigest: r }) => t('repair.releases', { n: r.events })}
          done={reload}
        />
        <Repair
          label={t('repair.drop')}
          document={DropDigestDocument}
          input={{ id: own.internalId }}
          says={({ dropDigest: r }) => t('repair.drops', { n: r.events })}
          done={reload}
        />
      </div>
    </Card>
  )
}

/** Sends a message again. */
export function Resend({ message, done }: { message: string; done: () => void }) {
  return (
    <Repair
      label={t('repair.resend')}
      icon={RotateCw}
      document={ResendMessageDocument}
      input={{ id: message }}
      says={({ resendMessage: r }) =>
        `${t(r.copied ? 'repair.resendCopy' : 'repair.resendSame')} ${r.duplicatePossible ? t('repair.maybeTwice') : ''}`
      }
      done={done}
    />
  )
}
