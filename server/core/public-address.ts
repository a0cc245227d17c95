// Addresses of the public internet, which the service may connect to for users.
import { BlockList, isIP } from 'node:net'

/** Special-purpose blocks (IANA registries of IPv4 and IPv6 special-purpose addresses). */
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

/** Returns whether this is an IPv4 or IPv6 address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && global6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
