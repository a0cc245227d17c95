// A platform that sends its publishers to another of its servers: `_error` on connect, with the address in `ex.redirect`.
import type { Target } from '#contract/relay/desired-state.ts'
import { readAddress } from '#server/domain/channels/destinations.ts'
import type { DialOptions } from './dial.ts'

/** Redirects per attempt. */
export const redirectsMax = 3

/**
 * Where a platform sends us on to.
 * @returns null for what is no address, is not allowed, or would send the key in the open that began under TLS
 */
export function redirected(
  from: Target,
  address: string,
  { allowPrivateDestinations }: Pick<DialOptions, 'allowPrivateDestinations'>,
): Target | null {
  const to = readAddress(address, { allowPrivateDestinations })
  if ('fault' in to || to.protocol === 'srt') return null
  if (from.protocol === 'rtmps' && to.protocol !== 'rtmps') return null
  const { protocol, host, port, path, query } = to
  return { protocol, host, port, app: query === '' ? path : `${path}?${query}`, key: from.key }
}
