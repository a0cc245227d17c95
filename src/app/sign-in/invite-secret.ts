// Secret of an invitation, kept until it is answered. It follows `#`, which no server receives, and is removed from the
// URL immediately: sign-in passes through other pages, and their URLs are sent.
import { paths } from '#src/lib/paths.ts'

const key = 'relaydeck.invite'

/** Takes the secret from the URL, else the stored one; null without any. */
export function takeSecret(): string | null {
  const secret = location.hash.slice(1)
  if (secret === '') return sessionStorage.getItem(key)
  sessionStorage.setItem(key, secret)
  history.replaceState(history.state, '', paths.invite())
  return secret
}

/** Forgets the secret after an answer. */
export const dropSecret = (): void => sessionStorage.removeItem(key)
