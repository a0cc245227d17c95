// The secret of an invitation while it is being answered. It comes behind `#`, which no server sees, and leaves the
// address at once: signing in goes through other pages, whose addresses are sent.
import { paths } from '#src/lib/paths.ts'

const key = 'relaydeck.invite'

/** Takes the secret out of the address, else the one that was taken before; null without any. */
export function takeSecret(): string | null {
  const secret = location.hash.slice(1)
  if (secret === '') return sessionStorage.getItem(key)
  sessionStorage.setItem(key, secret)
  history.replaceState(history.state, '', paths.invite())
  return secret
}

/** The invitation is answered. */
export const dropSecret = (): void => sessionStorage.removeItem(key)
