// HTTP POST to addresses that users choose: public hosts only, no redirects, limited time and response.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '#server/core/public-address.ts'
import { publicLookup } from '#server/domain/channels/destinations.ts'

const timeoutMs = 15_000

/** Result of a call. `refused`: no connection was made. `unknown`: the connection ended without a response. */
export type PostResult =
  | { readonly is: 'answer'; readonly status: number; readonly retryAfterMs: number }
  | { readonly is: 'refused' | 'unknown' }

/**
 * Posts a body. Never throws.
 * @param allowPrivate also to private addresses and over HTTP, for tests and closed networks
 */
export function post(
  address: string,
  {
    headers,
    body,
    allowPrivate,
  }: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Buffer
    readonly allowPrivate: boolean
  },
): Promise<PostResult> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A lookup does not see addresses in digits.
  if (!allowPrivate && (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))))
    return Promise.resolve({ is: 'refused' })
  return new Promise((resolve) => {
    let isConnected = false
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const options = {
      method: 'POST',
      headers,
      timeout: timeoutMs,
      agent: false,
      ...(allowPrivate ? {} : { lookup: publicLookup() }),
    }
    const call = send(url, options, (response) => {
      const { statusCode: status = 0, headers: received } = response
      const seconds = Number(received['retry-after'] ?? 0)
      resolve({ is: 'answer', status, retryAfterMs: Number.isFinite(seconds) ? Math.min(seconds, 86_400) * 1_000 : 0 })
      // The body has no meaning for the service.
      response.on('error', () => {})
      response.destroy()
    })
    const fail = () => resolve({ is: isConnected ? 'unknown' : 'refused' })
    const deadline = setTimeout(() => call.destroy(new Error('timeout')), timeoutMs)
    call.on('socket', (socket) => {
      socket.on(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true))
    })
    call.on('timeout', () => call.destroy(new Error('timeout')))
    call.on('error', fail)
    call.on('close', () => {
      clearTimeout(deadline)
      fail()
    })
    call.end(body)
  })
}
