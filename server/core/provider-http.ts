// HTTP client for providers: calls only their own hosts, limits time and size, and converts failures into errors that name
// the provider. Tokens and bodies appear neither in errors nor in logs.
import * as z from 'zod/mini'
import { payProviders } from '#contract/entities/pay-providers.gen.ts'
import { oauthNames } from '#contract/platforms/platforms.ts'
import type { ProviderHost, Settings } from './settings.ts'
import { env, settings } from './variables.ts'
import { RuleError } from './errors.ts'

const providerHosts = [...oauthNames, 'telegram', ...Object.keys(payProviders)]

/** Origins of provider hosts, as `name=origin` pairs. Plain HTTP is accepted for this machine only. */
const bases = z.pipe(
  z.pipe(
    z.string(),
    z.transform((value) => value.split(/[\s,]+/).flatMap((pair) => (pair === '' ? [] : [pair.split('=')]))),
  ),
  z.array(z.tuple([z.enum(providerHosts), z.string().check(z.refine(isSafeBase))])),
)

export const providerSettings = settings({
  /** Replacement base URLs of providers; each host becomes a folder below its base. */
  providerBases: env(
    'PROVIDER_BASES',
    bases,
    '',
    'For tests: origins that replace provider hosts, `google=http://127.0.0.1:9000`, comma separated; HTTPS, or this machine',
    (pairs): ReadonlyMap<ProviderHost, string> => new Map(pairs),
  ),
})

function isSafeBase(base: string): boolean {
  const url = URL.parse(base)
  if (url?.origin !== base) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname))
}

const defaultTimeoutMs = 10_000
const bytesMax = 2 * 1024 * 1024

/** A complete response of a provider. */
export interface ProviderAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The provider did not respond, or responded with an error of its own. A later call may succeed. */
export class ProviderUnavailableError extends RuleError {
  /** Status of the response; null: none, so the outcome of a write is unknown. */
  readonly answeredWith: number | null
  /** `Retry-After` in seconds; null: none. */
  readonly retryAfter: number | null
  constructor(provider: ProviderHost, status: number | null = null, retryAfter: number | null = null) {
    super('ProviderUnavailable', { provider })
    this.answeredWith = status
    this.retryAfter = retryAfter
  }
}

/** The provider refused the request. */
export class ProviderRefusedError extends RuleError {
  /** HTTP status of the response. */
  readonly refusedWith: number
  /** Sentence or code of the provider; empty without one. */
  readonly reason: string
  constructor(provider: ProviderHost, status: number, reason = '') {
    super(reason === '' ? 'ProviderRefused' : 'ProviderRefused_because', { provider, status }, { because: reason })
    this.refusedWith = status
    this.reason = reason
  }
}

/** Returns the URL of a provider's endpoint. Under `PROVIDER_BASES` the host becomes a folder. */
export function providerUrl(
  { providerBases }: Pick<Settings, 'providerBases'>,
  name: ProviderHost,
  url: string,
): string {
  const base = providerBases.get(name)
  if (base === undefined) return url
  const { host, pathname, search } = new URL(url)
  return `${base}/${host}${pathname}${search}`
}

/**
 * Calls a provider. Does not follow redirects.
 * @param init `signal` ends the call as well
 * @param timeoutMs longer for calls that wait for an event
 * @throws ProviderUnavailableError on a timeout, a response that is too long, 429 and 5xx
 */
export async function callProvider(
  config: Pick<Settings, 'providerBases'>,
  name: ProviderHost,
  url: string,
  init: RequestInit = {},
  timeoutMs = defaultTimeoutMs,
): Promise<ProviderAnswer> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])])
  try {
    const answer = await fetch(providerUrl(config, name, url), { ...init, redirect: 'manual', signal })
    if (answer.status === 429 || answer.status >= 500) {
      throw new ProviderUnavailableError(name, answer.status, retryAfterOf(answer))
    }
    return { status: answer.status, headers: answer.headers, text: await readText(answer) }
  } catch (error) {
    throw error instanceof RuleError ? error : new ProviderUnavailableError(name)
  }
}

/** Parses a body; null for text that is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns `Retry-After` in seconds, if the response has it as a number. */
function retryAfterOf({ headers }: Response): number | null {
  const value = headers.get('retry-after') ?? ''
  return /^\d{1,5}$/.test(value) ? Number(value) : null
}

/** Reads a body of at most 2 MiB. @throws Error for a longer one */
export async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Error('The answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
