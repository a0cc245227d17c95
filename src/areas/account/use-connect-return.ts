// A provider has sent the browser back here: what it brought is taken out of the address, shown to the service with the
// token of the person, and what became of it is told.
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
  const byProvider = useWrite(auth.connectCallback)
  const byTelegram = useWrite(auth.connectTelegram)
  const { mutate: endByProvider } = byProvider
  const { mutate: endByTelegram } = byTelegram

  useEffect(() => {
    // Good once, however often the effect runs.
    if (!brought || sent.current) return
    sent.current = true
    // It must not stay in the history.
    setParams({}, { replace: true })
    const message = brought.get('message') ?? ''
    if (brought.has('hash')) endByTelegram({ message, ...signedOf(brought) })
    else endByProvider({ message })
  }, [brought, setParams, endByProvider, endByTelegram])

  const { isPending, isSuccess, error } = brought?.has('hash') ? byTelegram : byProvider
  if (isPending) return { tone: 'neutral', text: t('socials.connecting') }
  if (error) return { tone: 'live', text: why(error) }
  return isSuccess ? { tone: 'ok', text: t('socials.connected') } : { tone: 'neutral', text: '' }
}

/** What Telegram's widget has signed. */
function signedOf(params: URLSearchParams) {
  const optional = ['last_name', 'username', 'photo_url'] as const
  return {
    auth_date: Number(params.get('auth_date')),
    id: Number(params.get('id')),
    first_name: params.get('first_name') ?? '',
    hash: params.get('hash') ?? '',
    ...Object.fromEntries(optional.flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : []))),
  }
}
