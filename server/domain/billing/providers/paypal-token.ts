// Access token of PayPal (OAuth 2.0 client credentials), kept in memory until shortly before its end.
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { callProvider, jsonOf, ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { later } from '#server/core/clock.ts'
import { paypalHosts, type PaypalAccount } from './paypal-account.ts'

const Token = z.object({ access_token: z.string(), expires_in: z.number() })

/** Time before the end of a token at which another one is requested, seconds. */
const marginSeconds = 60

/** The access token of an account. */
export interface PaypalToken {
  /** @throws ProviderUnavailableError, ProviderRefusedError */
  get(): Promise<string>
  /** Requests another token with the next call, unless there is already another one than the refused one. */
  forget(refused: string): void
}

/** Creates the token of an account. Concurrent calls share one request. */
export function paypalToken(services: Pick<Services, 'config' | 'clock'>, account: PaypalAccount): PaypalToken {
  let known: { readonly value: string; readonly end: Date } | null = null
  let loading: Promise<string> | null = null

  async function load(): Promise<string> {
    const basic = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')
    const { status, text } = await callProvider(
      services.config,
      'paypal',
      `https://${paypalHosts[account.mode].api}/v1/oauth2/token`,
      {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      },
    )
    if (status >= 300) throw new ProviderRefusedError('paypal', status, 'token')
    const read = z.safeParse(Token, jsonOf(text))
    if (!read.success) throw new ProviderUnavailableError('paypal')
    const { access_token: value, expires_in: seconds } = read.data
    known = { value, end: later(services.clock.now(), (seconds - marginSeconds) * 1000) }
    return value
  }

  return {
    async get() {
      if (known && known.end > services.clock.now()) return known.value
      loading ??= load().finally(() => (loading = null))
      return await loading
    },
    forget(refused) {
      if (known?.value === refused) known = null
    },
  }
}
