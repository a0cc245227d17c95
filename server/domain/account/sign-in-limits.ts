// Rate limits of sign-in. Each attempt is counted by network, by account and network, and by account: an attacker with one
// network blocks no other network, an attacker with many blocks only networks that the account never signed in from. A device that the
// account has signed in on has attempts of its own, which no attacker can use up.
import type { Reading, Services } from '#server/core/context.ts'
import { networkOf } from '#server/core/limits.ts'
import { hashOf } from '#server/core/secrets.ts'
import { normalEmail } from './accounts.ts'
import { maskAddress } from './devices.ts'
import { hasNetwork } from './store.ts'

/**
 * Attempts per minute. `account`: of all networks together that the account never signed in from, and of each that it did.
 * Six networks at full rate reach it; 60 a minute are 86,400 a day, too few for a password of ten characters.
 */
const perMinute = { network: 30, accountInNetwork: 10, account: 60, device: 10 }

/**
 * Counts an attempt.
 * @param kind form that was sent
 * @param about target of the form: an e-mail, or the code of a link
 * @param caller its address, and the id of its device if the account has signed in on it
 * @throws RateLimitedError
 */
export async function limitTry(
  services: Pick<Services, 'db' | 'limits'>,
  kind: string,
  about: { readonly email: string } | { readonly code: string },
  { address, device }: { readonly address: string; readonly device: string | null },
): Promise<void> {
  const { limits } = services
  const network = networkOf(address)
  const what = `${kind} ${hashOf('code' in about ? about.code : normalEmail(about.email))}`
  if (device !== null) return limits.countGuess(`${what} on ${device}`, perMinute.device)
  limits.countGuess(`sign-in ${network}`, perMinute.network)
  limits.countGuess(`${what} in ${network}`, perMinute.accountInNetwork)
  // An account receives one link a minute, so the requests of all networks need no limit.
  if (kind === 'forgot') return
  const known = 'email' in about && (await isKnownNetwork(services, about.email, address))
  limits.countGuess(`${what} ${known ? `of ${maskAddress(address)}` : 'of strangers'}`, perMinute.account)
}

/** Returns whether the account had a session in this network (/24, or /48 of IPv6) within the life of a refresh token. */
const isKnownNetwork = ({ db }: Reading<Pick<Services, 'db'>>, email: string, address: string): Promise<boolean> =>
  hasNetwork(db, normalEmail(email), maskAddress(address))
