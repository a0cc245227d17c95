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
import { joinReferral } from './join-referral.ts'
import { useWhy } from './use-why.ts'

/** Target of the redirect after sign-in: checks the state, exchanges the code, opens the requested page. */
export function Component() {
  const { t, i18n } = useTranslation('sign-in')
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)

  // The service names its refusals; an unknown name means that the response is not of this sign-in.
  const why = useWhy()
  const wordsOf = useEffectEvent(({ refusal = '', error }: Failure) => {
    // A refused code was used before.
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

/** Name of the service's refusal, or the error; neither for a response of another sign-in. */
interface Failure {
  readonly refusal?: string
  readonly error?: unknown
}
type Result = { readonly returnTo: string } | Failure

/** Runs once per page, even when the component mounts again: a code works once. */
let running: Promise<Result> | null = null
const finish = (): Promise<Result> => (running ??= exchange().finally(() => (running = null)))

async function exchange(): Promise<Result> {
  const params = new URLSearchParams(location.search)
  // The code must not stay in the history or in a shared URL.
  history.replaceState(history.state, '', paths.callback())
  const refusal = params.get('error')
  // The stored state stays when the response has none: it may belong to another sign-in.
  if (refusal !== null) return { refusal }
  try {
    const begun = endSignIn(params.get('state'))
    const code = params.get('code')
    if (!begun || !code) return {}
    const { app } = dashboard()
    const pair = await call(auth.exchange, { code, state: begun.state, userAgent: navigator.userAgent, app })
    await apiRuntime().session.setSession(pair)
    await joinReferral()
    return { returnTo: begun.returnTo }
  } catch (error) {
    return { error }
  }
}
