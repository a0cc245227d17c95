// Metrics that are read when `/metrics` is: the service, its nodes, what is on air, disks, backups, jobs and money. Names begin
// with `relaydeck_`, and no label carries a project. Alerts on them: `deploy/monitoring`.
import { Counter, Gauge, type Registry } from 'prom-client'
import { NodeState } from '#contract/entities/ingest.ts'
import type { DestinationReport } from '#contract/relay/reports.ts'
import type { LoadedCertificate } from '#server/core/certificate.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { countTroubledJobs } from '#server/db/jobs.ts'
import type { OnFailed } from '#server/delivery/outbox.ts'
import { listProviderStates } from '#server/domain/billing/payments/store.ts'
import { countOpenReceipts, countRefusedReceipts } from '#server/domain/billing/receipts/store.ts'
import { goneAfterMs } from '#server/domain/ingest/health.ts'
import { listNodesNow } from '#server/domain/ingest/servers.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { getLedgerCheck, type LedgerCheck } from '#server/domain/operator/ledger-check-store.ts'
import { listDisks } from '#server/domain/operator/system-health.ts'
import { countBroadcasts, listReportsOnAir, readDatabaseTime } from '#server/domain/operator/watch-store.ts'

type Source = Reading<Pick<Services, 'db' | 'clock' | 'config' | 'bus'>>
type Labels = Readonly<Record<string, string>>
/** Values of a series: one without labels, or each with its labels. */
type Values = number | readonly (readonly [Labels, number])[]

interface Series {
  readonly help: string
  readonly labels?: readonly string[]
  readonly read: (source: Source) => Promise<Values> | Values
}

/** Age at which the check of the ledger runs again: it reads the whole ledger. */
const checkEveryMs = 3_600_000

const seconds = (ms: number) => ms / 1000
const timeOf = (date: string | null): Values => (date === null ? [] : seconds(Date.parse(date)))

/** Series of the database, which each replica reports alike, and of this replica. */
const table: Readonly<Record<string, Series>> = {
  release_info: {
    help: 'Release of this replica; always 1',
    labels: ['version'],
    read: ({ config }) => [[{ version: config.release.version }, 1]],
  },
  bus_connected: {
    help: '1: this replica is connected to the others, or is alone',
    read: ({ bus }) => Number(bus.state().isUp),
  },
  bus_lost_messages: {
    help: 'Messages that this replica could not send to the others since its start',
    read: ({ bus }) => bus.state().lost,
  },
  clock_offset_seconds: {
    help: 'Clock of this replica minus that of the database',
    async read({ db }) {
      const begun = Date.now()
      const there = await readDatabaseTime(db)
      return seconds((begun + Date.now()) / 2 - there)
    },
  },
  disk_free_bytes: {
    help: 'Free space of the disk of DATA_DIR, and of recordings where they are on another one',
    labels: ['of'],
    read: async ({ config }) => (await listDisks(config.dataDir)).map(({ of, free }) => [{ of }, free]),
  },
  disk_size_bytes: {
    help: 'Size of the same disks',
    labels: ['of'],
    read: async ({ config }) => (await listDisks(config.dataDir)).map(({ of, total }) => [{ of }, total]),
  },
  backup_time_seconds: {
    help: 'Unix time of the last backup; absent before the first',
    read: async ({ db }) => timeOf((await getInstallation(db)).date_backup),
  },
  drill_time_seconds: {
    help: 'Unix time of the last drill: a restore of a backup into a temporary place; absent before the first',
    read: async ({ db }) => timeOf((await getInstallation(db)).date_drill),
  },
  broadcasts: {
    help: 'Broadcasts on air; lost: they wait for their encoder',
    labels: ['status'],
    read: async ({ db }) => Object.entries(await countBroadcasts(db)).map(([status, count]) => [{ status }, count]),
  },
  channels: {
    help: 'Channels of broadcasts on air, by state and its reason; empty: none',
    labels: ['state', 'reason'],
    async read({ db }) {
      const rows = await listReportsOnAir(db)
      const reports = rows.map(({ report }) => JSON.parse(report) as DestinationReport)
      return counted(reports.map(({ state, reason }) => ({ state, reason: reason ?? '' })))
    },
  },
  nodes: {
    help: 'Relay nodes that reported within 10 minutes. silent: no report for 90 s; full: no room for another project; draining: it ends after its broadcasts',
    labels: ['state'],
    async read(source) {
      const states = (await listNodesNow(source, goneAfterMs)).map(({ state }) => ({ state }))
      const none = NodeState.options.map((state) => [{ state }, 0] as const)
      return [...none, ...counted(states)]
    },
  },
  node_report_age_seconds: {
    help: 'Time since the last report of a node',
    labels: ['node'],
    read: async (source) =>
      (await listNodesNow(source, goneAfterMs)).map(({ node, ageMs }) => [{ node }, seconds(ageMs)]),
  },
  node_load_ratio: {
    help: 'Load of a node over 5 minutes, 0 to 1',
    labels: ['node', 'of'],
    async read(source) {
      return (await listNodesNow(source, goneAfterMs)).flatMap(({ node, loads }) =>
        Object.entries(loads ?? {}).map(([of, percent]) => [{ node, of }, percent / 100] as const),
      )
    },
  },
  failing_jobs: {
    help: 'Jobs that failed repeatedly: parked until an operator runs them, or retrying after at least three failures',
    labels: ['state'],
    read: async ({ db }) => Object.entries(await countTroubledJobs(db)).map(([state, count]) => [{ state }, count]),
  },
  payment_mismatches: {
    help: 'Payments that only one side has, by the last reconciliation',
    labels: ['provider'],
    read: async ({ db }) =>
      (await listProviderStates(db)).map(({ provider, mismatches }) => [{ provider }, mismatches]),
  },
  closing_receipts: {
    help: 'Closing receipts (54-FZ) that are not registered yet, and refused ones that wait for the operator',
    labels: ['state'],
    read: async ({ db }) => [
      [{ state: 'open' }, await countOpenReceipts(db)],
      [{ state: 'refused' }, await countRefusedReceipts(db)],
    ],
  },
}

/** Adds the series of the table, `relaydeck_ready` and `relaydeck_ledger_differences`. @param ready fails while the service is not */
export function observeService(registry: Registry, source: Source, ready: () => Promise<void>): void {
  for (const [name, series] of Object.entries(table)) addGauge(registry, name, series, source)
  const isReady = { help: '1: the service answers, and its database takes writes', read: () => ready().then(one, zero) }
  addGauge(registry, 'ready', isReady, source)
  let last: { readonly at: number; readonly check: LedgerCheck } | null = null
  const differences: Series = {
    help: 'Transactions that do not sum to zero and balances that differ from their entries, at most 40; checked hourly',
    async read({ db, clock }) {
      const at = clock.now().getTime()
      if (last === null || at - last.at >= checkEveryMs) last = { at, check: await getLedgerCheck(db) }
      return last.check.unbalanced.length + last.check.differing.length
    },
  }
  addGauge(registry, 'ledger_differences', differences, source)
}
const one = () => 1
const zero = () => 0

/** Adds the validity of the certificate in use. @param current returns it; null: plain HTTP, or none yet */
export function observeCertificate(registry: Registry, current: () => LoadedCertificate | null): void {
  for (const which of ['from', 'until'] as const)
    new Gauge({
      name: `relaydeck_certificate_${which}_time_seconds`,
      help: `Unix time of validity of the certificate for HTTPS: ${which}`,
      registers: [registry],
      collect() {
        const loaded = current()
        if (loaded) this.set(seconds(loaded[which]))
        else this.remove({})
      },
    })
}

const channels = ['email', 'telegram', 'mobile', 'webhook'] as const

/** Adds `relaydeck_notification_deliveries_failed_total`. @returns a function that counts deliveries of a channel */
export function countFailedDeliveries(registry: Registry): OnFailed {
  const failed = new Counter({
    name: 'relaydeck_notification_deliveries_failed_total',
    help: 'Notifications that a channel did not deliver after all attempts, by this process since its start',
    labelNames: ['channel'],
    registers: [registry],
  })
  for (const channel of channels) failed.inc({ channel }, 0)
  return (channel, count) => failed.inc({ channel }, count)
}

/** A series that cannot be read, while the database is away, is absent: the others still tell why. */
function addGauge(registry: Registry, name: string, { help, labels = [], read }: Series, source: Source): void {
  const gauge = new Gauge({
    name: `relaydeck_${name}`,
    help,
    labelNames: [...labels],
    registers: [registry],
    async collect() {
      const values = await Promise.resolve(read(source)).catch(() => [])
      gauge.reset()
      if (typeof values === 'number') gauge.set(values)
      else {
        // Without a value of their own, series without labels begin at 0.
        if (labels.length === 0) gauge.remove({})
        for (const [label, value] of values) gauge.set(label, value)
      }
    },
  })
}

/** Counts equal labels. */
function counted(labels: readonly Labels[]): (readonly [Labels, number])[] {
  const groups = Map.groupBy(labels, (label) => JSON.stringify(label))
  return [...groups].map(([label, { length }]) => [JSON.parse(label) as Labels, length])
}
