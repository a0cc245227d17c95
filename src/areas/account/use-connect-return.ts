// Return from a provider: takes the message out of the URL, sends it to the service with the access token, and shows the
// outcome.
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { auth } from '#contract/areas/account/auth.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'

/** What is said about it; nothing when nobody came back. */
export function useConnectReturn(): { readonly tone: 'neutral' | 'ok' | 'live'; readonly text: string } {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [params, setParams] = useSearchParams()
  const [brought] = useState(() => (params.has('message') ? params : null))
  const sent = useRef(false)
  const { mutate: end, isPending, isSuccess, error } = useWrite(auth.connectCallback)

  useEffect(() => {
    // Good once, however often the effect runs.
    if (!brought || sent.current) return
    sent.current = true
    // It must not stay in the history.
    setParams({}, { replace: true })
    end({ message: brought.get('message') ?? '' })
  }, [brought, setParams, end])

  if (isPending) return { tone: 'neutral', text: t('socials.connecting') }
  if (error) return { tone: 'live', text: why(error) }
  return isSuccess ? { tone: 'ok', text: t('socials.connected') } : { tone: 'neutral', text: '' }
}
