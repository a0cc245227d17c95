// Cluster test: clients work under faults of a seed, and checkers compare their responses with the stored state.
// `npm run cluster -- --seed 7 --minutes 10`. Runs in namespaces of its own (run.ts) and prints a report.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { NoConnectionError } from '#server/db/faults.ts'
import { poll } from '#scripts/house/poll.ts'
import { answers, startCluster } from './cluster.ts'
import { breakCluster, faultNames } from './faults.ts'
import { machines } from './network.ts'
import { note, now, timeline } from './timeline.ts'
import { startPayments } from './money.ts'
import { startProbes } from './probes.ts'
import { startSessions } from './sessions.ts'
import { startStreams } from './streams.ts'
import { startWatchers } from './watchers.ts'
import type { Workload } from './workload.ts'
import { startWrites } from './writes.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    settled: { type: 'string', default: '60' },
    programs: { type: 'string', default: 'dist/service' },
    faults: { type: 'string', default: faultNames.join(',') },
  },
})
/** Customers of a cluster. */
const customers = 5

/** Folder for the logs of the programs after a violation. */
const logs = '.cache/cluster'
function keepLogs(): void {
  mkdirSync(logs, { recursive: true })
  for (const machine of Object.keys(machines)) cpSync(join(folder, machine, 'log'), join(logs, `${machine}.log`))
}

/** Checks a workload; a connection of the test itself may be slow or broken after the faults. */
async function checked(workload: Workload): Promise<string[]> {
  for (let left = 3; ; left--)
    try {
      return await workload.check()
    } catch (error) {
      if (!(error instanceof NoConnectionError) || left === 1) throw error
    }
}

const folder = mkdtempSync(join(tmpdir(), 'relaydeck-cluster-'))
const violations: string[] = []
const cluster = await startCluster({ folder, programs: values.programs, customers })
console.log(`measured cluster ready: ${(now() / 1000).toFixed(1)} s`)
try {
  // Before channels of the writes take the places of the plan.
  const streams = await startStreams(cluster, Number(values.settled))
  const workloads = [
    startWrites(cluster),
    startPayments(cluster),
    startSessions(cluster),
    startWatchers(cluster),
    startProbes(cluster),
    streams,
  ]
  note('the clients work')
  const names = values.faults.split(',')
  const unknown = names.filter((name) => !faultNames.includes(name))
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}; there are ${faultNames.join(', ')}`)
  const count = await breakCluster(cluster, Number(values.seed), {
    until: now() + Number(values.seconds) * 1_000,
    names,
  })
  note('the last fault is over')
  for (const machine of ['replica-a', 'replica-b'] as const)
    await poll(`${machine} to be ready`, () => answers(machine, '/readyz'))
  // Encoders send until their state is checked; other workloads stop first.
  for (const workload of workloads.slice(0, -1)) await workload.stop()
  for (const workload of workloads) {
    const wrong = await checked(workload)
    await workload.stop()
    if (wrong.length === 0) console.log(`ok ${workload.name} (${workload.figure()})`)
    violations.push(...wrong.map((one) => `${workload.name}: ${one}`))
  }
  violations.push(...cluster.wrongAnswers)
  for (const { faults } of [...cluster.replicas, ...cluster.relays]) violations.push(...faults)
  console.log(`measured faults: ${count}`)
} catch (error) {
  violations.push(`the test itself: ${String((error as Error).stack)}`)
} finally {
  await cluster.close()
  if (violations.length > 0) keepLogs()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
if (violations.length > 0) for (const line of timeline()) console.log(`timeline ${line}`)
if (violations.length > 0) console.log(`timeline logs of the programs: ${logs}`)
for (const line of violations.slice(0, 40)) console.log(`violation ${line.replaceAll('\n', ' ')}`)
process.exit(violations.length === 0 ? 0 : 1)
