// Hosts and domains of servers.

/**
 * Whether a host belongs to one of the domains; a domain stands for its subdomains as well.
 * @param host in lower case, without a dot at its end
 * @example isWithin('live-fra.twitch.tv', ['twitch.tv']) // true
 */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
