// Client of providers' HTTP APIs: JSON requests with an account's token, responses validated by a schema, refusals with
// the provider's message.
import * as z from 'zod/mini'
import type { Language } from '#contract/core/wire.ts'
import type { Logger } from 'pino'
import { RuleError } from './errors.ts'
import type { ProviderName, Settings } from './settings.ts'
import { callProvider, type ProviderAnswer, ProviderRefusedError, ProviderUnavailableError } from './provider-http.ts'

/** The provider rejects the token: expired, revoked, or without the permission. */
export class ProviderUnauthorizedError extends RuleError {
  constructor(provider: ProviderName) {
    super('AccountInvalid', { provider })
  }
}

/** A failure in a response with a success status: invalid token, rate limit, or another reason. */
export type Fault = 'unauthorized' | 'busy' | { readonly reason: string }

export interface ApiRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Undefined values are left out; a list becomes one parameter for each of its values. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string | undefined>>
  /** Body that is a file. */
  readonly file?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
}

/** The API of a provider for one account. */
export interface ProviderApi {
  readonly token: string
  readonly language: Language
  readonly settings: Settings
  /** @throws ProviderUnauthorizedError, ProviderRefusedError, ProviderUnavailableError */
  call<O>(request: ApiRequest, answer: z.ZodMiniType<O>): Promise<O>
}

/** Headers and failures of a provider's API. */
export interface ApiConventions {
  readonly provider: ProviderName
  readonly headers: (token: string, clientId: string) => Readonly<Record<string, string>>
  readonly faultOf?: (body: unknown) => Fault | null
  /** Units of a call, where the platform gives the installation a number of them a day. */
  readonly unitsOf?: (request: ApiRequest) => number
}

/**
 * The API of a provider with a token.
 * @param count counts the units of a call before it; absent: the caller does
 */
export function providerApi(
  { config, log }: { readonly config: Settings; readonly log: Logger },
  manners: ApiConventions,
  token: string,
  language: Language = 'en',
  count?: (units: number) => Promise<void>,
): ProviderApi {
  const { provider, headers, faultOf, unitsOf } = manners
  const own = headers(token, config.providers[provider]?.id ?? '')
  return {
    token,
    language,
    settings: config,
    async call(request, answer) {
      const { url, init } = requestOf(request, own)
      if (unitsOf) await count?.(unitsOf(request))
      const got = await callProvider(config, provider, url, init)
      const body = read(got)
      const fault = got.status === 401 ? 'unauthorized' : (faultOf?.(body) ?? null)
      if (fault === 'unauthorized') throw new ProviderUnauthorizedError(provider)
      if (fault === 'busy') throw new ProviderUnavailableError(provider)
      if (fault || got.status >= 300) {
        log.info({ provider, status: got.status, host: new URL(url).host }, 'A provider refused')
        throw new ProviderRefusedError(provider, got.status, fault ? fault.reason : reasonOf(body))
      }
      const parsed = answer.safeParse(body)
      if (parsed.success) return parsed.data
      log.warn({ provider, paths: parsed.error.issues.map(({ path }) => path.join('.')) }, 'An answer cannot be read')
      throw new ProviderUnavailableError(provider)
    },
  }
}

function requestOf({ url, method, query = {}, json, form, file }: ApiRequest, own: Readonly<Record<string, string>>) {
  const address = new URL(url)
  for (const [name, value] of Object.entries(query))
    for (const one of value === undefined ? [] : [value].flat()) address.searchParams.append(name, one)
  const body = json === undefined ? (file?.bytes ?? (form && new URLSearchParams(present(form)))) : JSON.stringify(json)
  const type = json === undefined ? file?.type : jsonType
  const headers = { accept: jsonType, ...own, ...(type === undefined ? {} : { 'content-type': type }) }
  return { url: address.href, init: { method: method ?? (body ? 'POST' : 'GET'), headers, ...(body ? { body } : {}) } }
}

const jsonType = 'application/json'
const present = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)

function read({ text }: ProviderAnswer): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Messages of refusals: Google; Twitch and Trovo; VK Video Live. */
const Refusal = z.union([
  z.pipe(
    z.object({ error: z.object({ message: z.string() }) }),
    z.transform(({ error }) => error.message),
  ),
  z.pipe(
    z.object({ message: z.string() }),
    z.transform(({ message }) => message),
  ),
  z.pipe(
    z.object({ error_description: z.string() }),
    z.transform(({ error_description }) => error_description),
  ),
])

/** Returns the message of a refusal; empty without one. */
function reasonOf(body: unknown): string {
  const said = Refusal.safeParse(body)
  return said.success ? said.data.slice(0, 200) : ''
}
