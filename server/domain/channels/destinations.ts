// Addresses of destinations, as people type them: read, judged, and turned into what a socket connects to.
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isWithin } from '#contract/entities/hosts.ts'
import { factsOf, type PlatformType } from '#contract/platforms/platforms.ts'
import { servers } from '#contract/platforms/servers.gen.ts'
import { isPublicAddress } from '#server/core/public-address.ts'
import type { Settings } from '#server/core/settings.ts'
import { env, flag, list, settings } from '#server/core/variables.ts'
import { readSrtQuery, type SrtFault } from './srt-address.ts'
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

// Which machines a stream may go to: addresses of the public internet. What names stand for is checked when the
// connection is made, with the very answer that is connected to, so that a name cannot change in between.

/** Names that never leave a machine or a local network. */
const localNames = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'arpa', 'invalid', 'test']

/** Names for DNS servers: with a dot, and not below a local top-level domain. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !localNames.includes(host.slice(host.lastIndexOf('.') + 1))

/** A name or an address that streams must not go to. Sockets hand it on as it is. */
export class ForbiddenHostError extends Error {
  readonly code = 'EFORBIDDENHOST'
  constructor() {
    super('The address belongs to a private network')
    this.name = 'ForbiddenHostError'
  }
}

/** A name that DNS knows nothing about, or did not answer for. */
class UnknownHostError extends Error {
  readonly code = 'EUNKNOWNHOST'
  constructor() {
    super('The name has no address')
    this.name = 'UnknownHostError'
  }
}

/** The addresses that a name stands for; none when there are none. */
type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const dns = new Resolver({ timeout: 2000, tries: 2 })

/** Queries DNS directly: a system lookup blocks a thread, and an attacker's DNS server may respond slowly. */
const resolveByDns: Resolve = async (host) => {
  const [four, six] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
  return [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
}

/**
 * Resolves a name to public addresses. One private address refuses the name: its owner could otherwise hide a private
 * address behind a public one.
 * @throws UnknownHostError, ForbiddenHostError
 */
export async function resolvePublic(host: string, resolve: Resolve = resolveByDns): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host)
  if (addresses.length === 0) throw new UnknownHostError()
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new ForbiddenHostError()
  return addresses
}

/**
 * The `lookup` of sockets that go where people say. Sockets do not ask it about addresses in digits.
 * @example connect({ host, port, lookup: publicLookup() })
 */
export const publicLookup =
  (resolve?: Resolve): LookupFunction =>
  (host, { all }, done) => {
    resolvePublic(host, resolve).then(
      (addresses) => {
        if (all) (done as (error: null, all: readonly LookupAddress[]) => void)(null, addresses)
        else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }

/**
 * Resolves the host of a destination over UDP, whose sockets connect to an address.
 * @throws ForbiddenHostError, or the error of DNS
 */
export async function resolveHost(
  host: string,
  { allowPrivateDestinations }: Pick<Settings, 'allowPrivateDestinations'>,
): Promise<string> {
  if (allowPrivateDestinations) return (await lookup(host)).address
  if (isIP(host) === 0) return (await resolvePublic(host))[0]?.address ?? host
  if (!isPublicAddress(host)) throw new ForbiddenHostError()
  return host
}

export const destinationSettings = settings({
  /** Destinations may be on this machine and in private networks. */
  allowPrivateDestinations: env(
    'ALLOW_PRIVATE_DESTINATIONS',
    flag,
    'off',
    '`on`: channels may send to this machine and to private networks, which lets every editor reach them',
  ),
  /** Domains that count as servers of every platform, in lower case: destinations on them need no plan with custom addresses. */
  platformHosts: env(
    'PLATFORM_HOSTS',
    list,
    '',
    'Additional domains of platform servers, comma separated, for plans without custom addresses',
    (hosts): readonly string[] => hosts.map((host) => host.toLowerCase()),
  ),
})

export const protocols = ['rtmp', 'rtmps', 'srt'] as const
export type Protocol = (typeof protocols)[number]

/** Where a stream goes. `host` is lower case, an IPv6 address without brackets. */
export interface Destination {
  readonly protocol: Protocol
  readonly host: string
  readonly port: number
  /** Was the port written in the address? */
  readonly ownPort: boolean
  /** Application of an RTMP address, without slashes around it. */
  readonly path: string
  /** May hold secrets. */
  readonly query: string
}

/** Fault of an address. */
export type AddressFault = 'unreadable' | 'protocol' | 'credentials' | 'application' | 'port' | 'private' | SrtFault

const defaultPorts: Readonly<Record<Protocol, number>> = { rtmp: 1935, rtmps: 443, srt: 0 }

/**
 * Reads an address. Names are not resolved here: see `openSocket`.
 * @returns the destination, or what is wrong with it
 */
export function readAddress(
  text: string,
  config: Pick<Settings, 'allowPrivateDestinations'>,
): Destination | { readonly fault: AddressFault } {
  const trimmed = text.trim()
  // Readers differ in what they make of these, and a difference is a way around the checks.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(trimmed)) return { fault: 'unreadable' }
  const protocol = protocols.find((name) => trimmed.toLowerCase().startsWith(`${name}://`))
  // Stream ids of SRT begin with it.
  if ((protocol === 'srt' ? (trimmed.split('?')[0] ?? '') : trimmed).includes('#')) return { fault: 'unreadable' }
  if (!protocol) return { fault: trimmed.includes('://') ? 'protocol' : 'unreadable' }
  const rest = trimmed.slice(protocol.length + 3)
  const target = readHost(rest, config)
  if ('fault' in target) return target
  const port = target.port ?? defaultPorts[protocol]
  const [way = '', ...queries] = rest.split('?')
  const [, ...folders] = way.split('/')
  const path = folders.join('/').replace(/^\/+|\/+$/g, '')
  const query = queries.join('?')
  const fault = port === 0 ? 'port' : protocol === 'srt' ? srtFaultOf(query) : path === '' ? 'application' : undefined
  if (fault) return { fault }
  return { protocol, host: target.host, port, ownPort: target.port !== undefined, path, query }
}

/** Parses host and port after `scheme://`, for any scheme. */
export function readHost(
  rest: string,
  { allowPrivateDestinations }: Pick<Settings, 'allowPrivateDestinations'>,
): { readonly host: string; readonly port: number | undefined } | { readonly fault: AddressFault } {
  // As a web address, so that a host in any spelling (0x7f.1, 2130706433, IDNA) becomes the one it stands for.
  const url = URL.parse(`https://${rest}`)
  if (!url || rest.startsWith('/') || url.hostname.endsWith('..')) return { fault: 'unreadable' }
  if (rest.split(/[/?]/)[0]?.includes('@')) return { fault: 'credentials' }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (!allowPrivateDestinations && !isPublicHost(host)) return { fault: 'private' }
  // `https` would swallow its own port.
  const port = /^(?:\[[^\]]*\]|[^/?:]*):(\d+)/.exec(rest)?.[1]
  return { host, port: port === undefined ? undefined : Number(port) }
}

function srtFaultOf(query: string): SrtFault | undefined {
  const read = readSrtQuery(query)
  return 'fault' in read ? read.fault : undefined
}

/** Returns whether a name or an address may be public; a name is resolved when the socket opens. */
export const isPublicHost = (host: string): boolean => (isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host))

/** Returns an address without its query, which may hold a secret. */
export function addressWithoutQuery({ protocol, host, port, ownPort, path }: Destination): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return `${protocol}://${name}${ownPort ? `:${port}` : ''}${path === '' ? '' : `/${path}`}`
}

/**
 * Opens a connection to a destination over TCP, or TLS for `rtmps`. The relay and the connection test use it.
 * @throws ForbiddenHostError for a forbidden IP address; for a forbidden name the socket fails with it
 */
export function openSocket(
  { protocol, host, port }: Pick<Destination, 'protocol' | 'host' | 'port'>,
  { allowPrivateDestinations }: Pick<Settings, 'allowPrivateDestinations'>,
): Socket {
  if (!allowPrivateDestinations && !isPublicHost(host)) throw new ForbiddenHostError()
  const options = { host, port, ...(allowPrivateDestinations ? {} : { lookup: publicLookup() }) }
  if (protocol !== 'rtmps') return connectTcp(options)
  // Names in digits have no place in the TLS greeting.
  return connectTls({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) })
}

type PlatformHostSettings = Pick<Settings, 'platformHosts'>

/** Domains of a platform's servers, with those that the operator added. None for generic destinations. */
export const hostsOf = (type: PlatformType, { platformHosts }: PlatformHostSettings): readonly string[] =>
  factsOf(type).generic ? [] : [...servers[type].hosts, ...platformHosts]

/** Returns whether a destination is outside the platform's own servers: it needs a plan that allows it. */
export const isCustom = (
  type: PlatformType,
  { host }: Pick<Destination, 'host'>,
  config: PlatformHostSettings,
): boolean => !isWithin(host, hostsOf(type, config))
