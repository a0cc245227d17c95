// Parsers and checks of values on the wire: base URL, tokens, Retry-After.

/**
 * The base URL without its final slash. Every path begins with one, so exactly one stands between them.
 * @throws TypeError for anything but http(s) without query and fragment
 */
export function baseUrlOf(value: string): string {
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol) || /[?#]/.test(value) || url.username) {
    throw new TypeError('The base URL must be http(s), without query, fragment or user')
  }
  return url.href.replace(/\/+$/, '')
}

/** Characters that fetch and every server carry unchanged in a header. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\t -~\u0080-\u00FF]+$/.test(value) && !/^[\t ]|[\t ]$/.test(value)

/**
 * Delay of `Retry-After` in milliseconds: from seconds, or from a date by the server's own clock. `null` for other
 * values.
 */
export function retryAfterMs(headers: Headers, now: number, cap: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  const ms = /^\d+$/.test(value)
    ? Number(value) * 1000
    : /\d:\d/.test(value)
      ? Date.parse(value) - (Date.parse(headers.get('date') ?? '') || now)
      : NaN
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), cap)
}

/** Statuses of a server that may answer a later repetition otherwise. */
export const isBusy = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500

/** Lifetime of a JWT from its own two times, without the local clock. `null` for anything else. */
export function jwtLifetimeMs(token: string): number | null {
  try {
    const { exp, iat } = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return exp > iat ? (exp - iat) * 1000 : null
  } catch {
    return null
  }
}

/** 128 random bits; works on insecure origins too. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
