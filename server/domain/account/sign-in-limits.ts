// Limits of tries to sign in. Each is counted by network, by account and network, and by account: a guesser with one
// network blocks no other network, a guesser with many blocks only networks that the account never signed in from.
import type { Services } from '#server/core/context.ts'
import { networkOf } from '#server/core/limits.ts'
import { hashOf } from '#server/core/secrets.ts'
import { normalEmail } from './accounts.ts'
import { maskAddress } from './devices.ts'

/**
 * Tries per minute. `account`: of all networks together that the account never signed in from, and of each that it did.
 * Six networks at full speed reach it; 60 a minute are 86,400 a day, too few for a password of ten characters.
 */
const perMinute = { network: 30, accountInNetwork: 10, account: 60 }

/**
 * Counts a try.
 * @param kind form that was sent
 * @param about what the form opens: an e-mail, or the code of a link
 * @param address of the caller
 * @throws RateLimitedError
 */
export async function countTry(
  services: Pick<Services, 'db' | 'limits'>,
  kind: string,
  about: { readonly email: string } | { readonly code: string },
  address: string,
): Promise<void> {
  const { limits } = services
  const network = networkOf(address)
  limits.count(`sign-in ${network}`, perMinute.network)
  const what = `${kind} ${hashOf('code' in about ? about.code : normalEmail(about.email))}`
  limits.count(`${what} in ${network}`, perMinute.accountInNetwork)
  const known = 'email' in about && (await isKnownNetwork(services, about.email, address))
  limits.count(`${what} ${known ? `of ${maskAddress(address)}` : 'of strangers'}`, perMinute.account)
}

/** Whether the account had a session in this network (/24, or /48 of IPv6) within the life of a refresh token. */
async function isKnownNetwork({ db }: Pick<Services, 'db'>, email: string, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('token_families', 'token_families.user_id', 'users.id')
    .innerJoin('refresh_tokens', 'refresh_tokens.family_id', 'token_families.id')
    .select('users.id')
    .where('users.email', '=', normalEmail(email))
    .where('refresh_tokens.address', '=', maskAddress(address))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
