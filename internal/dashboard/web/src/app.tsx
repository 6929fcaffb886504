import { LogOut, RotateCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { logOut, onEnrolment, onSignedOut, own, resume, type Session, sessionState, useQuery } from './api'
import { Again, Broken } from './broken'
import { Button } from './button'
import { ViewerDocument } from './gql'
import { AcceptInvitation, NewPassword } from './links'
import { Front, LogIn } from './login'
import { discard } from './marks'
import { Shown } from './overlay'
import { Role } from './role'
import { Shell } from './shell'
import { t } from './text/text'
import { Failure, Skeleton } from './ui'
import { Addresses } from './unsaved'

const SetUp = lazy(async () => ({ default: (await import('./pages/second-factor')).SetUp }))

const none: Session = { active: false, oidc: false, mail: false, enrol: false }

export function App() {
  const [session, setSession] = useState<Session>()
  const [error, setError] = useState<Error>()
  const [turn, setTurn] = useState(0) // grows when what is shown may be another person's
  const shown = useRef(false) // whether there is a page
  const focused = useRef<Element>(null) // what had the focus when the log-in ended
  useEffect(() => {
    const read = () => void sessionState().then(setSession, setError)
    read()
    const stopSignedOut = onSignedOut(() => {
      focused.current ??= document.activeElement
      setSession((s) => ({ ...none, ...s, active: false }))
    })
    const stopEnrolment = onEnrolment(read)
    return () => {
      stopSignedOut()
      stopEnrolment()
    }
  }, [])
  const active = session?.active
  useEffect(() => {
    if (!active || !focused.current) return
    const place = document.body.contains(focused.current) && focused.current !== document.body ? focused.current : null
    focused.current = null
    ;((place as HTMLElement | null) ?? document.getElementById('content'))?.focus()
  }, [active])
  const entered = async (email: string) => {
    // The page is as it was left, with what was typed, for the person who left it.
    if (!(await resume(email))) {
      discard()
      setTurn(turn + 1)
    }
    sessionState().then(setSession, setError)
  }
  if (error)
    return (
      <Front title={t('app.notLoaded')}>
        <Failure error={error} />
        <Again />
      </Front>
    )
  if (!session) return null
  if (location.pathname === '/dashboard/invitation') return <AcceptInvitation session={session} />
  if (location.pathname === '/dashboard/new-password') return <NewPassword />
  if (session.active && session.enrol) return <Enrol />
  return (
    <>
      {!session.active && <LogIn session={session} onDone={entered} ended={shown.current} />}
      {(session.active || shown.current) && (
        <div hidden={!session.active} key={turn}>
          <Broken>
            <Shown value={session.active}>
              <Addresses base="/dashboard">
                <Workplace onKnown={() => (shown.current = true)} />
              </Addresses>
            </Shown>
          </Broken>
        </div>
      )}
    </>
  )
}

/** All that members without the second factor see that their organization requires. */
function Enrol() {
  return (
    <Front title={t('app.setUpYourSecondFactor')}>
      <p>{t('app.yourOrganizationRequiresASecond')}</p>
      <Suspense fallback={<Skeleton />}>
        <SetUp onDone={() => location.reload()} />
      </Suspense>
      <Button icon={LogOut} onClick={() => logOut().finally(() => location.reload())}>
        {t('app.logOut')}
      </Button>
    </Front>
  )
}

function Workplace({ onKnown }: { onKnown: () => void }) {
  const viewer = useQuery(ViewerDocument, {})
  const email = viewer.data?.viewer.user?.email
  const environmentId = viewer.data?.viewer.environment?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it tells counts, not the callback.
  useEffect(() => {
    if (!email || !environmentId) return
    own({ email, environmentId })
    onKnown()
  }, [email, environmentId])
  if (viewer.data)
    return (
      <Role value={viewer.data.viewer.role}>
        <Shell viewer={viewer.data} reload={viewer.reload} />
      </Role>
    )
  return viewer.error ? (
    <Front title={t('app.notLoaded')}>
      <Failure error={viewer.error} />
      <Button icon={RotateCw} onClick={viewer.reload}>
        {t('app.tryAgain')}
      </Button>
    </Front>
  ) : null
}
