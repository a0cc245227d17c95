// Redirects of platforms: `_error` on connect, with the address in `ex.redirect`.
import type { RtmpTarget } from '#contract/relay/desired-state.ts'
import { readAddress } from '#server/domain/channels/destinations.ts'
import type { DialOptions } from './dial.ts'

/** Redirects per attempt. */
export const redirectsMax = 3

/**
 * Returns the target of a redirect.
 * @returns null for an invalid or forbidden address, or one that would send the key in the clear after TLS
 */
export function redirected(
  from: RtmpTarget,
  address: string,
  { allowPrivateDestinations }: Pick<DialOptions, 'allowPrivateDestinations'>,
): RtmpTarget | null {
  const to = readAddress(address, { allowPrivateDestinations })
  if ('fault' in to || to.protocol === 'srt') return null
  if (from.protocol === 'rtmps' && to.protocol !== 'rtmps') return null
  const { protocol, host, port, path, query } = to
  return { protocol, host, port, app: query === '' ? path : `${path}?${query}`, key: from.key }
}
