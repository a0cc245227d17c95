// The account that answers an invitation.
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auth } from '#contract/areas/account/auth.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { Note } from '#src/ui/note.tsx'

export interface Account {
  /** Session that the answer is sent under. */
  readonly sessionId: string
  /** Name and e-mail; empty where the server does not name the user. */
  readonly name: string
}

/**
 * Returns the account of a session.
 * @throws ApiError when the server does not respond, SessionChangedError when another session has begun
 */
export async function accountOf(sessionId: string): Promise<Account> {
  try {
    const { firstName, lastName, email } = await call(auth.me, {}, { sessionId })
    const name = [firstName, lastName].filter(Boolean).join(' ')
    return { sessionId, name: name && email ? `${name} (${email})` : name || (email ?? '') }
  } catch (error) {
    if (toApiError(error).status === 404) return { sessionId, name: '' }
    throw error
  }
}

/** Names the account, and announces that another one has taken its place while the page was open. */
export function AccountNote({ account: { sessionId, name } }: { readonly account: Account }) {
  const { t } = useTranslation('sign-in', { keyPrefix: 'invitation' })
  const [first] = useState(sessionId)
  if (name === '') return null
  return first === sessionId ? <p>{t('account', { name })}</p> : <Note tone="warn">{t('otherAccount', { name })}</Note>
}
