// Hosts and domains of servers.

/**
 * Returns whether a host belongs to one of the domains; a domain includes its subdomains.
 * @param host in lower case, without a trailing dot
 * @example isWithin('live-fra.twitch.tv', ['twitch.tv']) // true
 */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
