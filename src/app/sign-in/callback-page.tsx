import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { auth } from '#contract/areas/account/auth.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { dashboard } from '#src/app/boot.ts'
import { endSignIn, popupName } from './begin.ts'
import { Entrance } from './entrance.tsx'
import { useWhy } from './use-why.ts'

/** Where sign-in returns to: checks that it began in this window, exchanges the code, goes on. */
export function Component() {
  const { t, i18n } = useTranslation('sign-in')
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)

  // Names of refusals are the service's; one that nobody here knows is a sign-in that is not ours.
  const why = useWhy()
  const wordsOf = useEffectEvent(({ refusal = '', error }: Failure) => {
    // A code that is refused was used before.
    if (error !== undefined && toApiError(error).name !== 'CodeRejected') return why(error)
    const isKnown = /^[A-Za-z]+$/.test(refusal) && i18n.exists(`sign-in:callback.why.${refusal}`)
    return isKnown ? t(`callback.why.${refusal}`) : t('callback.notOurs')
  })

  useEffect(() => {
    void finish().then((result) => {
      if (!('returnTo' in result)) setFailure(wordsOf(result))
      else if (window.name === popupName) window.close()
      else void navigate(result.returnTo, { replace: true })
    })
  }, [navigate])

  return (
    <Entrance title={failure === null ? t('callback.title') : t('callback.failed')}>
      {failure === null ? (
        <p role="status">{t('callback.wait')}</p>
      ) : (
        <>
          <Problem title={failure} />
          <Link to={paths.signIn()} className={buttonClass()}>
            {t('callback.again')}
          </Link>
        </>
      )}
    </Entrance>
  )
}

/** What the service called its refusal, or what was thrown; neither for a sign-in that is not ours. */
interface Failure {
  readonly refusal?: string
  readonly error?: unknown
}
type Result = { readonly returnTo: string } | Failure

/** Runs once per page, however often the component is mounted: a code works one time. */
let running: Promise<Result> | null = null
const finish = (): Promise<Result> => (running ??= exchange().finally(() => (running = null)))

async function exchange(): Promise<Result> {
  const params = new URLSearchParams(location.search)
  // The code must not stay in the history or in an address that is shared.
  history.replaceState(history.state, '', paths.callback())
  const refusal = params.get('error')
  // What was noted stays when the answer has no state: it may belong to another sign-in.
  if (refusal !== null) return { refusal }
  const begun = endSignIn(params.get('state'))
  const code = params.get('code')
  if (!begun || !code) return {}
  try {
    const { app } = dashboard()
    const pair = await call(auth.exchange, { code, state: begun.state, userAgent: navigator.userAgent, app })
    await apiRuntime().session.setSession(pair)
    return { returnTo: begun.returnTo }
  } catch (error) {
    return { error }
  }
}
