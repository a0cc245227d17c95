// Which machines a stream may go to: addresses of the public internet. What names stand for is checked when the
// connection is made, with the very answer that is connected to, so that a name cannot change in between.
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
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
/** Global unicast. What is outside (loopback, mapped IPv4, NAT64, unique local, link-local, multicast) is nobody's. */
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

/** May be asked of a DNS server: a name with a dot, below no local top. */
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

type Resolver = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * The `lookup` of sockets that go where people say. One answer that is not public refuses all of them: who controls
 * a name could otherwise hide a private one behind a public one. Sockets do not ask it about addresses in digits.
 * @example connect({ host, port, lookup: publicLookup() })
 */
export const publicLookup =
  (resolver: Resolver = resolve): LookupFunction =>
  (host, options, done) => {
    resolver(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const [first] = addresses
      if (!first || addresses.some(({ address }) => !isPublicAddress(address))) {
        return done(new ForbiddenHostError(), '', 0)
      }
      if (options.all) (done as (e: null, all: LookupAddress[]) => void)(null, addresses)
      else done(null, first.address, first.family)
    })
  }
