// Hosts and domains of servers, and addresses of pages.

/**
 * Completes the address of a web page, in which `https://` may be left out.
 * @returns null for another scheme, and for text without a domain
 * @example pageAddress(' twitch.tv/name ') // 'https://twitch.tv/name'
 */
export function pageAddress(text: string): string | null {
  const address = text.trim()
  if (/^https?:\/\//i.test(address)) return address
  return /^[^\s/?#@:]+\.[^\s/?#@:]+([/?#]\S*)?$/.test(address) ? `https://${address}` : null
}

/**
 * Returns whether a host belongs to one of the domains; a domain includes its subdomains.
 * @param host in lower case, without a trailing dot
 * @example isWithin('live-fra.twitch.tv', ['twitch.tv']) // true
 */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
