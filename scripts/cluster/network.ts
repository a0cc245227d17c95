// Network of a cluster, inside a network namespace of the test: a bridge, a namespace for each machine, and rules that cut lines.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** Machines with a network namespace of their own, and their addresses. */
export const machines = {
  balancer: '10.77.0.12',
  'replica-a': '10.77.0.21',
  'replica-b': '10.77.0.22',
  'relay-one': '10.77.0.31',
  'relay-two': '10.77.0.32',
} as const
export type Machine = keyof typeof machines

/** Addresses of programs that run beside the test. */
export const addresses = { test: '10.77.0.1', database: '10.77.0.10', bus: '10.77.0.11' } as const

/** Everything that a line leads to. */
export type Place = Machine | keyof typeof addresses
const addressOf = (place: Place): string => ({ ...machines, ...addresses })[place]

/** Source addresses of clients: the balancer sends each to one replica. */
export const clientAddress = (number: number): string => `10.77.0.${100 + number}`
const clientsMax = 20

const tool = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const hooks = ['forward', 'input', 'output']
  .map((hook) => `chain ${hook} { type filter hook ${hook} priority 0; jump lines; };`)
  .join(' ')

/** Makes the network, and shared memory of its own. The process must run in network and mount namespaces (`unshare --net --mount`). */
export function makeNetwork(): void {
  tool('ip', 'link', 'set', 'lo', 'up')
  mkdirSync('/run/netns', { recursive: true })
  tool('mount', '-t', 'tmpfs', 'none', '/run/netns')
  // libfaketime names its memory by process id, and those of a process namespace come again in each run.
  tool('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'none', '/dev/shm')
  tool('ip', 'link', 'add', 'bridge', 'type', 'bridge')
  const clients = Array.from({ length: clientsMax }, (_, number) => clientAddress(number))
  for (const address of [...Object.values(addresses), ...clients])
    tool('ip', 'address', 'add', `${address}/24`, 'dev', 'bridge')
  tool('ip', 'link', 'set', 'bridge', 'up')
  for (const [number, [name, address]] of Object.entries(machines).entries()) {
    tool('ip', 'netns', 'add', name)
    tool('ip', 'link', 'add', `port${number}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    tool('ip', 'link', 'set', `port${number}`, 'master', 'bridge', 'up')
    tool('ip', '-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) tool('ip', '-n', name, 'link', 'set', device, 'up')
  }
  tool('nft', `table bridge cuts { chain lines { }; ${hooks} }`)
}

/** Leads a port of the loopback address of a machine to the test: doubles of providers are reached there. */
export function leadToTest(machine: Machine, port: number): void {
  const inside = (...args: string[]) => tool('ip', ...on(machine), ...args)
  inside('sysctl', '-q', '-w', 'net.ipv4.conf.all.route_localnet=1')
  const there = `chain there { type nat hook output priority -100; ip daddr 127.0.0.1 tcp dport ${port} dnat to ${addresses.test}; };`
  const back = 'chain back { type nat hook postrouting priority 100; ip saddr 127.0.0.1 oifname eth0 masquerade; };'
  inside('nft', `table ip doubles { ${there} ${back} }`)
}

/** Drops all packets from one place to another. */
export function cut(from: Place, to: Place): void {
  const rule = ['ip', 'saddr', addressOf(from), 'ip', 'daddr', addressOf(to), 'drop']
  tool('nft', 'add', 'rule', 'bridge', 'cuts', 'lines', ...rule)
}

/** Rate of a slow line, and the longest wait in its queue. */
const slow = ['rate', '1mbit', 'burst', '16kb', 'latency', '400ms']

/**
 * Makes the line of a machine slow and lossy, in both directions.
 * @param loss percent of the packets
 * @returns a function that ends it
 */
export function slowDown(machine: Machine, loss: number): () => void {
  const ends = [['-n', machine, 'eth0'], [`port${Object.keys(machines).indexOf(machine)}`]].map((end) => ({
    where: end.slice(0, -1),
    device: end.at(-1) ?? '',
  }))
  const shape = (what: 'add' | 'del', rest: readonly string[]) => {
    for (const { where, device } of ends) tool('tc', ...where, 'qdisc', what, 'dev', device, 'root', ...rest)
  }
  shape('add', ['tbf', ...slow])
  const lost = ['numgen', 'random', 'mod', '100', '<', String(loss), 'drop']
  for (const way of ['saddr', 'daddr'])
    tool('nft', 'add', 'rule', 'bridge', 'cuts', 'lines', 'ip', way, machines[machine], ...lost)
  return () => {
    shape('del', [])
    mend()
  }
}

/** Ends all cuts. */
export const mend = (): void => void tool('nft', 'flush', 'chain', 'bridge', 'cuts', 'lines')

/** Arguments that run a program on a machine: `spawn('ip', [...on(machine), program])` has the process id of the program. */
export const on = (machine: Machine): string[] => ['netns', 'exec', machine]
