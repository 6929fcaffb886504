import { LogOut, RotateCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { logOut, onEnrolment, onSignedOut, type Session, sessionState, useQuery } from './api'
import { Again, Broken } from './broken'
import { Button } from './button'
import { ViewerDocument } from './gql'
import { AcceptInvitation, NewPassword } from './links'
import { Front, LogIn } from './login'
import { Shown } from './overlay'
import { Role } from './role'
import { Shell } from './shell'
import { t } from './text/text'
import { Failure, Skeleton } from './ui'
import { Addresses, anyUnsaved, discard } from './unsaved'

const SetUp = lazy(async () => ({ default: (await import('./pages/second-factor')).SetUp }))

const none: Session = { active: false, oidc: false, mail: false, enrol: false }

export function App() {
  const [session, setSession] = useState<Session>()
  const [error, setError] = useState<Error>()
  const [turn, setTurn] = useState(0) // grows when what is shown may be another person's
  const person = useRef('')
  const left = useRef<Element>(null) // what had the focus when the log-in ended
  useEffect(() => {
    const read = () => void sessionState().then(setSession, setError)
    read()
    const stopSignedOut = onSignedOut(() => {
      left.current ??= document.activeElement
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
    if (!active || !left.current) return
    const place = document.body.contains(left.current) && left.current !== document.body ? left.current : null
    left.current = null
    ;((place as HTMLElement | null) ?? document.getElementById('content'))?.focus()
  }, [active])
  const entered = (email: string) => {
    // What is not saved survives a log-in that ended meanwhile.
    if (!anyUnsaved() || email.toLowerCase() !== person.current.toLowerCase()) {
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
      {!session.active && <LogIn session={session} onDone={entered} ended={person.current !== ''} />}
      {(session.active || person.current) && (
        <div hidden={!session.active} key={turn}>
          <Broken>
            <Shown value={session.active}>
              <Addresses base="/dashboard">
                <Workplace onKnown={(email) => (person.current = email)} />
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

function Workplace({ onKnown }: { onKnown: (email: string) => void }) {
  const viewer = useQuery(ViewerDocument, {})
  const email = viewer.data?.viewer.user?.email
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address counts, not the callback.
  useEffect(() => {
    if (email) onKnown(email)
  }, [email])
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
