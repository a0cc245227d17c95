// Which machines a stream may go to: addresses of the public internet. What names stand for is checked when the
// connection is made, with the very answer that is connected to, so that a name cannot change in between.
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Special-purpose blocks that no stream goes to (IANA registries of IPv4 and IPv6 special-purpose addresses). */
const special = new BlockList()
for (const block of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  special.addSubnet(...subnet(block), 'ipv4')
}
/** Teredo and its like, documentation, 6to4: they carry IPv4 addresses, or lead nowhere. */
for (const block of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) {
  special.addSubnet(...subnet(block), 'ipv6')
}
/** Global unicast. Everything else is reserved: loopback, mapped IPv4, NAT64, unique local, link-local, multicast. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

function subnet(block: string): [string, number] {
  const [net = '', bits] = block.split('/')
  return [net, Number(bits)]
}

/** Is this an address of the public internet? */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && global6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Names that never leave a machine or a local network. */
const localNames = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'arpa', 'invalid', 'test']

/** Names for DNS servers: with a dot, and not below a local top-level domain. */
export const isPublicName = (host: string): boolean =>
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
export class UnknownHostError extends Error {
  readonly code = 'EUNKNOWNHOST'
  constructor() {
    super('The name has no address')
    this.name = 'UnknownHostError'
  }
}

/** The addresses that a name stands for; none when there are none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

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
