// Health: the system, payment providers, the ledger against its invariants, closing receipts (54-FZ), jobs that fail, and the bus.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Nothing, Success } from '#contract/core/wire.ts'
import { NoServers } from '#contract/entities/ingest.ts'
import { CheckState } from '#contract/entities/operator.ts'
import { PaymentProvider } from './payments.ts'
import { Reason } from './settings.ts'

/** A closing receipt that YooKassa has refused. Amount in kopecks. */
export const RefusedReceipt = z.object({
  receipt_id: z.int(),
  payment_id: z.int(),
  project_id: z.int(),
  project_name: z.string(),
  title: z.string(),
  amount: z.int(),
  reason: z.string(),
  date: DateTime,
})
export type RefusedReceipt = z.output<typeof RefusedReceipt>

/** A job of the service that is parked, or failed at least three times in a row. */
export const TroubledJob = z.object({
  kind: z.string(),
  /** Subject of the job, such as the id of a refund; empty for a periodic job. */
  key: z.string(),
  /** Runs since the last success, the running one included. */
  attempts: z.int(),
  /** Failure of the last run. */
  error: z.string(),
  /** No run follows before an operator requests one. */
  parked: z.boolean(),
  running: z.boolean(),
  /** Periodic jobs cannot be given up. */
  periodic: z.boolean(),
  /** Start of the next run; null for a parked and for a running job. */
  date_next: z.nullable(DateTime),
})
export type TroubledJob = z.output<typeof TroubledJob>

const JobChange = z.object({
  kind: z.string().check(z.minLength(1), z.maxLength(100)),
  key: z.string().check(z.maxLength(500)),
  reason: Reason,
})

/** Health of the machine and of what the service depends on. Sizes in bytes. */
const SystemHealth = z.object({
  version: z.string(),
  date_start: DateTime,
  /** `both`: recordings are on the disk of the data folder, or not on this machine. */
  disks: z.array(
    z.object({ of: z.enum(['both', 'data', 'recordings']), state: CheckState, free: z.int(), total: z.int() }),
  ),
  /** `used`: by the process that answers. */
  memory: z.object({ state: CheckState, used: z.int(), free: z.int(), total: z.int() }),
  relays: z.object({
    state: CheckState,
    /** State of their ffmpeg. */
    ffmpeg: CheckState,
    /** Why the list is empty. */
    reason: z.nullable(NoServers),
    ports: z.array(z.int()),
    list: z.array(
      z.object({
        name: z.string(),
        connected: z.boolean(),
        full: z.boolean(),
        /** Version; null: none. */
        ffmpeg: z.nullable(z.string()),
        date_report: DateTime,
      }),
    ),
  }),
  mail: z.object({
    state: CheckState,
    configured: z.boolean(),
    date_sent: z.nullable(DateTime),
    date_failure: z.nullable(DateTime),
    /** Code of the last failure, if nothing was sent since. */
    failure: z.nullable(z.string()),
  }),
  /** `ms`: time of two queries. `schema`: newest migration. */
  database: z.object({
    state: CheckState,
    kind: z.enum(['sqlite', 'postgres']),
    size: z.int(),
    schema: z.string(),
    ms: z.int(),
  }),
  backup: z.object({
    state: CheckState,
    date: z.nullable(DateTime),
    /** State of the drill, which restores a backup. */
    drill: CheckState,
    date_drill: z.nullable(DateTime),
  }),
})
export type SystemHealth = z.output<typeof SystemHealth>

export const OperatorHealth = z.object({
  system: SystemHealth,
  providers: z.array(PaymentProvider),
  ledger: z.object({
    transactions: z.int(),
    /** Ids of transactions whose entries do not sum to zero in one currency; at most 20. */
    unbalanced: z.array(z.int()),
    wallets: z.int(),
    /** Projects with an account that differs from its balance, payments or payouts in a currency; at most 20. */
    differing: z.array(z.int()),
  }),
  receipts: z.object({
    /** Number of closing receipts that are not registered yet. */
    waiting: z.int(),
    /** The oldest refused ones; at most 50. */
    refused: z.array(RefusedReceipt),
  }),
  /** Parked jobs first; at most 50. */
  jobs: z.array(TroubledJob),
  /** Messages between replicas, as the replica that answers knows them. */
  bus: z.object({
    connected: z.boolean(),
    /** Messages that were lost since its start, because too many waited. */
    lost: z.int(),
    date_loss: z.nullable(DateTime),
  }),
})
export type OperatorHealth = z.output<typeof OperatorHealth>

export const health = group(
  'operator.health',
  { prefix: 'operator/health', title: 'OperatorHealth', stale: ['operator.health'] },
  {
    get: read('', {
      name: 'Check providers, the ledger and jobs',
      input: Nothing,
      output: OperatorHealth,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
    resolveReceipt: write('POST', 'receipt', {
      name: 'Decide on refused closing receipt',
      input: z.object({ receipt_id: Id, again: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      replay: 'never',
      notes: { again: 'true: send it again as a new receipt; false: it was made elsewhere' },
    }),
    runJob: write('POST', 'job/run', {
      name: 'Run failing job now',
      input: JobChange,
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
    }),
    giveUpJob: write('POST', 'job/give-up', {
      name: 'Give up failing job',
      input: JobChange,
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
    }),
  },
)
