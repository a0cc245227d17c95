// Check of the path to return to after sign-in.

/**
 * A path of this origin, or the fallback. Refuses other origins in every spelling (`//host`, `/\host`, `javascript:`).
 * @example safeReturnTo(new URLSearchParams(location.search).get('returnTo'))
 */
export function safeReturnTo(value: string | null, fallback = '/'): string {
  if (!value?.startsWith('/')) return fallback
  try {
    const url = new URL(value, 'http://here.invalid')
    const path = url.pathname + url.search + url.hash
    return url.origin === 'http://here.invalid' && !/^\/[/\\]/.test(path) ? path : fallback
  } catch {
    return fallback
  }
}
