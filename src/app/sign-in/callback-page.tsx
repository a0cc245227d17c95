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

/** Where sign-in returns to: checks that it began in this window, exchanges the code, goes on. */
export function Component() {
  const { t, i18n } = useTranslation('sign-in')
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)

  // Names of refusals are the service's; one that nobody here knows is a sign-in that is not ours.
  const wordsOf = useEffectEvent((refusal = '') => {
    const isKnown = /^[A-Za-z]+$/.test(refusal) && i18n.exists(`sign-in:callback.why.${refusal}`)
    return isKnown ? t(`callback.why.${refusal}`) : t('callback.notOurs')
  })

  useEffect(() => {
    void finish().then((result) => {
      if ('failure' in result) setFailure(result.failure ?? wordsOf(result.refusal))
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

type Result = { readonly returnTo: string } | { readonly failure: string | null; readonly refusal?: string }

/** Runs once per page, however often the component is mounted: a code works one time. */
let running: Promise<Result> | null = null
const finish = (): Promise<Result> => (running ??= exchange().finally(() => (running = null)))

async function exchange(): Promise<Result> {
  const params = new URLSearchParams(location.search)
  // The code must not stay in the history or in an address that is shared.
  history.replaceState(history.state, '', paths.callback())
  const refusal = params.get('error')
  // What was noted stays when the answer has no state: it may belong to another sign-in.
  if (refusal !== null) return { failure: null, refusal }
  const begun = endSignIn(params.get('state'))
  const code = params.get('code')
  if (!begun || !code) return { failure: null }
  try {
    const { app } = dashboard()
    const pair = await call(auth.exchange, { code, state: begun.state, userAgent: navigator.userAgent, app })
    await apiRuntime().session.setSession(pair)
    return { returnTo: begun.returnTo }
  } catch (error) {
    return { failure: toApiError(error).message }
  }
}
