// Probes of the replicas: a replica whose process runs is alive, also without its database and its bus.
import type { Cluster } from './cluster.ts'
import { servicePort } from './members.ts'
import { awayMs, returned } from './faults.ts'
import { clientAddress, machines } from './network.ts'
import { send } from './request.ts'
import { now } from './timeline.ts'
import { loops, type Workload } from './workload.ts'

/** The dashboard may be without an answer so long, while the balancer finds the living replica. Milliseconds. */
const gapMs = 10_000
/** A probe waits so long for an answer on a busy machine, milliseconds. */
const waitMs = 20_000

/** Probes each replica, and opens the dashboard through the balancer. */
export function startProbes({ replicas }: Cluster): Workload {
  const wrong = new Set<string>()
  let count = 0
  const lastOpened = new Map(Array.from({ length: 6 }, (_, number) => [clientAddress(number), now()]))
  const stopProbes = loops(replicas, 250, async ({ machine }) => {
    const wasHere = awayMs(machine) === 0
    const { status, body } = await send({ host: machines[machine], port: servicePort, path: '/healthz', waitMs })
    count += 1
    if (status === 200) returned(machine)
    if (status !== 0 && status !== 200) wrong.add(`/healthz of ${machine} answered ${status}: ${body}`)
    // A fault may have begun or ended while the probe waited.
    if (status === 0 && wasHere && awayMs(machine) === 0)
      wrong.add(`/healthz of ${machine} did not answer at ${(now() / 1000).toFixed(1)} s`)
  })
  const stopPages = loops([...lastOpened.keys()], 250, async (from) => {
    const { status } = await send({ host: machines.balancer, port: 80, path: '/config.json', from, waitMs })
    const since = lastOpened.get(from) ?? 0
    if (status === 200) {
      if (now() - since > gapMs + waitMs) wrong.add(`the dashboard did not open for ${Math.round(now() - since)} ms`)
      lastOpened.set(from, now())
    }
  })
  return {
    name: 'a living replica says so, and the dashboard opens throughout',
    async stop() {
      await Promise.all([stopProbes(), stopPages()])
    },
    check: async () => [...wrong],
    figure: () => `${count} probes`,
  }
}
