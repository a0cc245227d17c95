// A cluster: PostgreSQL, NATS, HAProxy, two replicas and two relay nodes, with doubles of platforms and payments beside it.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { natsServer, type NatsServer } from '#server/testing/nats.ts'
import { type KilledProvider, killedProviders } from '#server/testing/pay/killed-provider.ts'
import { signUp } from '#server/testing/process.ts'
import { httpRequestOf } from '#server/testing/request.ts'
import { poll } from '#scripts/house/poll.ts'
import { type Postgres, startPostgres } from '#scripts/house/postgres.ts'
import { type Disk, makeDisk } from './disks.ts'
import { addresses, clientAddress, type Machine, machines, makeNetwork } from './network.ts'
import { type RecordingPlatform, recordingPlatform } from './platform.ts'
import { type Members, membersOf, servicePort } from './members.ts'
import { type Reply, send } from './request.ts'

/** A user with a project, whose clients have an address of their own. */
export interface Customer {
  readonly number: number
  readonly email: string
  readonly projectId: number
  readonly token: string
  /** First refresh token of its session. */
  readonly refresh: string
  readonly address: string
}

export interface Cluster extends Members {
  readonly postgres: Postgres
  readonly disks: Readonly<Record<'database' | 'replica-a' | 'replica-b', Disk>>
  readonly bus: NatsServer
  readonly database: Database
  readonly platform: RecordingPlatform
  readonly provider: KilledProvider
  readonly customers: readonly Customer[]
  /** Statuses that no request may get, with the call. */
  readonly wrongAnswers: string[]
  /** Calls an operation through the balancer. */
  call(op: Operation, input: unknown, by: Pick<Customer, 'token' | 'address'>): Promise<Reply>
  /** As `call`. @throws for any response other than a success */
  must<O extends Operation>(op: O, input: Input<O>, by: Pick<Customer, 'token' | 'address'>): Promise<Output<O>>
  close(): Promise<void>
}

export interface ClusterOptions {
  readonly folder: string
  /** Folder of the built programs. */
  readonly programs: string
  readonly customers: number
}

/** Origin of the balancer. */
export const origin = `http://${machines.balancer}`
/** Returns whether a replica answers a path with 200. */
export const answers = async (machine: Machine, path: string): Promise<boolean> =>
  (await send({ host: machines[machine], port: servicePort, path })).status === 200

/** Starts a cluster. The process must run in namespaces of its own. */
export async function startCluster({ folder, programs, customers: count }: ClusterOptions): Promise<Cluster> {
  makeNetwork()
  const disks = {
    // Its binaries, its data and its log.
    database: makeDisk(join(folder, 'disk-database'), 512),
    'replica-a': makeDisk(join(folder, 'disk-replica-a'), 16),
    'replica-b': makeDisk(join(folder, 'disk-replica-b'), 16),
  }
  const postgres = await startDatabase(folder, disks.database)
  const bus = await natsServer(addresses.bus)
  const platform = await recordingPlatform(addresses.test)
  const provider = await killedProviders.stripe.start(addresses.test)
  const members = membersOf({ folder, programs, postgres, disks, bus, provider })
  const { replicas, relays, balancer } = members
  for (const one of replicas) {
    one.start()
    await poll(`${one.machine} to be ready`, () => answers(one.machine, '/readyz'))
  }
  balancer.start()
  await poll(
    'the balancer',
    async () => (await send({ host: machines.balancer, port: 80, path: '/readyz' })).status === 200,
  )
  for (const one of relays) one.start()
  const database = await openDatabase({ url: postgres.url, poolMax: 2 })
  const { call, must, wrongAnswers } = createCaller()
  const customers: Customer[] = []
  for (let number = 0; number < count; number++) {
    const email = `customer-${number}@example.com`
    const { accessToken, refreshToken: refresh } = await signUp(origin, email)
    const by = { token: accessToken, address: clientAddress(number) }
    const { results } = await must(projects.list, {}, by)
    customers.push({ number, email, projectId: results[0]?.id ?? 0, refresh, ...by })
  }
  await database.db.updateTable('projects').set({ currency: provider.currency }).execute()

  return {
    ...members,
    postgres,
    disks,
    bus,
    database,
    platform,
    provider,
    customers,
    wrongAnswers,
    call,
    must,
    async close() {
      for (const one of [...relays, ...replicas, balancer]) one.pause(false)
      await database.close().catch(() => undefined)
      for (const one of [...relays, ...replicas, balancer]) await one.end()
      await provider.double.close()
      await platform.close()
      await bus.kill()
      await postgres.stop()
      for (const disk of Object.values(disks)) disk.remove()
    },
  }
}

/** Calls operations through the balancer. */
function createCaller(): Pick<Cluster, 'call' | 'must' | 'wrongAnswers'> {
  const wrongAnswers: string[] = []
  const call: Cluster['call'] = async (op, input, { token: as, address: from }) => {
    const reply = await send({ host: machines.balancer, port: 80, from, ...httpRequestOf(op, input, { as }) })
    if (reply.status === 500) wrongAnswers.push(`${op.id} answered 500: ${reply.body}`)
    return reply
  }
  const must: Cluster['must'] = async (op, input, by) => {
    const { status, body } = await call(op, input, by)
    if (status < 200 || status > 299) throw new Error(`${op.id} answered ${status}: ${body}`)
    return JSON.parse(body)
  }
  return { call, must, wrongAnswers }
}

/** PostgreSQL for other machines. What it has acknowledged outlives `kill`. */
async function startDatabase(folder: string, disk: Disk): Promise<Postgres> {
  const file = join(folder, 'pg_hba.conf')
  writeFileSync(file, 'host all all 10.77.0.0/24 scram-sha-256\n', { mode: 0o644 })
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const settings = {
    listen_addresses: addresses.database,
    hba_file: file,
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // The disk is small.
    min_wal_size: '32MB',
    max_wal_size: '64MB',
  }
  const postgres = await startPostgres(settings, disk.folder)
  if (!postgres) throw new Error('PostgreSQL does not start')
  return postgres
}
