// Faults of a cluster: each begins, lasts, and ends; one at a time, in an order that the seed gives.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { poll } from '#scripts/house/poll.ts'
import type { Cluster } from './cluster.ts'
import type { Disk } from './disks.ts'
import { cut, mend, type Place, slowDown } from './network.ts'
import type { Program } from './programs.ts'
import { type Choices, choicesOf, seedOf } from './random.ts'
import { now, note } from './timeline.ts'

/** A fault. `run` returns when the cluster can recover. */
interface Fault {
  readonly name: string
  readonly run: (cluster: Cluster, random: Choices) => Promise<void>
}

/** Unreachable machines: since when in the run, milliseconds, and whether by a kill, of which a machine returns by itself. */
const away = new Map<string, { readonly since: number; readonly isKilled: boolean }>()
const markAway = (machine: string, isKilled = false): void => void away.set(machine, { since: now(), isKilled })
/** Milliseconds for which a machine has been killed, paused or cut off; 0: it is reachable. */
export function awayMs(machine: string): number {
  const one = away.get(machine)
  return one === undefined ? 0 : now() - one.since
}
/** Returns whether a machine was killed and has not returned yet. */
export const isKilled = (machine: string): boolean => away.get(machine)?.isKilled === true

/** Marks a killed machine as returned: it answered, or its time to return is over. */
export function returned(machine: string): void {
  if (isKilled(machine)) away.delete(machine)
}
/** A busy machine starts a killed program again within this time, milliseconds. */
const returnMs = 60_000

async function kill(one: Program): Promise<void> {
  note(`kill -9 ${one.machine}`)
  markAway(one.machine, true)
  await one.kill()
  setTimeout(() => returned(one.machine), returnMs).unref()
}

async function pause(one: Program, ms: number): Promise<void> {
  note(`SIGSTOP ${one.machine} for ${Math.round(ms)} ms`)
  markAway(one.machine)
  one.pause(true)
  await delay(ms)
  one.pause(false)
  away.delete(one.machine)
  note(`SIGCONT ${one.machine}`)
}

async function separate(ms: number, pairs: readonly (readonly [Place, Place])[]): Promise<void> {
  note(`cut ${pairs.map((pair) => pair.join(' > ')).join(', ')} for ${Math.round(ms)} ms`)
  for (const [from, to] of pairs) {
    cut(from, to)
    // Other lines of a machine stay up: its encoders and its probes are not affected.
    if (to === 'test') markAway(from)
  }
  await delay(ms)
  mend()
  for (const [from] of pairs) away.delete(from)
  note('mended')
}

/** Fills a disk for a time. */
async function fill(disk: Disk, what: string, ms: number): Promise<void> {
  note(`the disk of ${what} is full for ${Math.round(ms)} ms`)
  disk.fill()
  await delay(ms)
  disk.free()
  note(`the disk of ${what} has room`)
}

const bothWays = (a: Place, b: Place) => [[a, b] as const, [b, a] as const]

const faults: readonly Fault[] = [
  { name: 'kill-replica', run: ({ replicas }, random) => kill(random.pick(replicas)) },
  { name: 'kill-relay', run: ({ relays }, random) => kill(random.pick(relays)) },
  {
    name: 'pause-replica',
    run: ({ replicas }, random) => pause(random.pick(replicas), random.between(5_000, 12_000)),
  },
  { name: 'pause-relay', run: ({ relays }, random) => pause(random.pick(relays), random.between(5_000, 12_000)) },
  {
    name: 'pause-relay-long',
    // Longer than a lease, so that another node owns its projects when it wakes up.
    run: ({ relays }, random) => pause(random.pick(relays), random.between(26_000, 30_000)),
  },
  {
    name: 'cut-database',
    run: ({ replicas }, random) =>
      separate(random.between(5_000, 12_000), bothWays(random.pick(replicas).machine, 'database')),
  },
  {
    name: 'cut-relay',
    run: ({ relays }, random) =>
      separate(random.between(5_000, 15_000), bothWays(random.pick(relays).machine, 'balancer')),
  },
  {
    name: 'cut-encoders',
    run: ({ relays }, random) => separate(random.between(6_000, 12_000), bothWays(random.pick(relays).machine, 'test')),
  },
  {
    name: 'cut-one-way',
    run: ({ replicas }, random) => separate(random.between(5_000, 10_000), [[random.pick(replicas).machine, 'bus']]),
  },
  {
    name: 'clock',
    async run({ replicas, relays }, random) {
      const one = random.pick([...replicas, ...relays])
      const seconds = random.pick([-280, -30, 30, 280])
      note(`the clock of ${one.machine} jumps by ${seconds} s`)
      one.moveClock(seconds)
      await delay(random.between(6_000, 12_000))
      one.moveClock(0)
      note(`the clock of ${one.machine} is right again`)
    },
  },
  {
    name: 'database',
    async run({ postgres }, random) {
      const ms = random.between(1_000, 8_000)
      note(`PostgreSQL crashes, and starts after ${Math.round(ms)} ms`)
      await postgres.kill()
      await delay(ms)
      await postgres.start()
      note('PostgreSQL is there again')
    },
  },
  {
    name: 'bus',
    async run({ bus }, random) {
      const ms = random.between(1_000, 8_000)
      note(`kill -9 of NATS, which starts after ${Math.round(ms)} ms`)
      await bus.kill()
      await delay(ms)
      await bus.start()
      note('NATS is there again')
    },
  },
  {
    name: 'balancer',
    async run({ balancer }, random) {
      const ms = random.between(1_000, 6_000)
      note(`HAProxy ends, and starts after ${Math.round(ms)} ms`)
      await balancer.end('SIGKILL')
      await delay(ms)
      balancer.start()
      note('HAProxy is there again')
    },
  },
  {
    name: 'slow-line',
    async run({ replicas, relays }, random) {
      const { machine } = random.pick([...replicas, ...relays])
      const [ms, loss] = [random.between(8_000, 15_000), random.pick([1, 5, 10])]
      note(`the line of ${machine} has 1 Mbit/s and loses ${loss} % for ${Math.round(ms)} ms`)
      const end = slowDown(machine, loss)
      await delay(ms)
      end()
      note(`the line of ${machine} is fast again`)
    },
  },
  {
    name: 'full-database',
    async run({ postgres, database, disks }, random) {
      await fill(disks.database, 'PostgreSQL', random.between(3_000, 8_000))
      // It ends when it cannot write its log, also while it recovers from that; an init system starts it again.
      await poll('PostgreSQL', async () => {
        if (!postgres.isRunning()) {
          await postgres.start()
          note('PostgreSQL had ended, and is there again')
        }
        return (await sql`select 1`.execute(database.db)).rows.length === 1
      })
    },
  },
  {
    name: 'full-replica',
    async run({ replicas, disks }, random) {
      const one = random.pick(replicas)
      const filled = fill(disks[one.machine as 'replica-a' | 'replica-b'], one.machine, random.between(6_000, 10_000))
      // It starts on a full disk.
      await kill(one)
      await filled
    },
  },
]

/** Names of all faults. */
export const faultNames: readonly string[] = faults.map(({ name }) => name)

/** Pause after a fault, in which clients see its end, milliseconds. */
const calmMs = { least: 2_000, most: 4_000 }

/** Order of the faults in a round. */
const orderOf = (used: readonly Fault[], seed: number, round: number): readonly Fault[] =>
  used.toSorted((a, b) => seedOf(seed, round, a.name) - seedOf(seed, round, b.name))

/**
 * Breaks a cluster until a time. Each fault comes once in a round.
 * @param until milliseconds since the start of the run
 * @param names of the faults to use
 * @returns the number of faults
 */
export async function breakCluster(
  cluster: Cluster,
  seed: number,
  { until, names }: { readonly until: number; readonly names: readonly string[] },
): Promise<number> {
  const used = faults.filter(({ name }) => names.includes(name))
  let count = 0
  for (let round = 0; ; round++)
    for (const fault of orderOf(used, seed, round)) {
      if (now() >= until) return count
      const random = choicesOf(seedOf(seed, round, fault.name, 'choices'))
      await fault.run(cluster, random)
      count += 1
      await delay(random.between(calmMs.least, calmMs.most))
    }
}
