// Return from a provider: sends the message of the URL to the service with the access token, and shows the outcome.
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { auth } from '#contract/areas/account/auth.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'

/** Message about the connection; empty without a return from a provider. */
export function useConnectReturn(): { readonly tone: 'neutral' | 'ok' | 'live'; readonly text: string } {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [params, setParams] = useSearchParams()
  const [brought] = useState(() => (params.has('message') ? params : null))
  const sent = useRef(false)
  const { mutate: end, isPending, isSuccess, error } = useWrite(auth.connectCallback)

  useEffect(() => {
    // The message is valid once; React may run the effect again.
    if (!brought || sent.current) return
    sent.current = true
    // Removes the message from the browser history.
    setParams({}, { replace: true })
    end({ message: brought.get('message') ?? '' })
  }, [brought, setParams, end])

  if (isPending) return { tone: 'neutral', text: t('socials.connecting') }
  if (error) return { tone: 'live', text: why(error) }
  return isSuccess ? { tone: 'ok', text: t('socials.connected') } : { tone: 'neutral', text: '' }
}
