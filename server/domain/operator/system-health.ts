// Health of the machine and of what the service depends on: disks, memory, relays, mail, database, backup.
import { stat, statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import type { CheckState } from '#contract/entities/operator.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { isSqlite } from '#server/db/fragments.ts'
import { getInstallation, type InstallationRow } from '#server/domain/installation/store.ts'
import { listServersOrCause } from '#server/domain/ingest/servers.ts'
import { readDatabaseFacts } from './health-store.ts'
import { backupLimit } from './notices.ts'

type Part = Reading<Pick<Services, 'db' | 'clock' | 'config' | 'relay'>>

const gigabyte = 1_000_000_000
/** Share of a disk or of the memory that is free, below which it is short. */
const shortShare = 0.1
/** Free space, bytes, that is enough on a disk of any size; and the one below which recordings and the database stop. */
const enoughBytes = 50 * gigabyte
const leastBytes = gigabyte
/** A slower response of the database delays every page, milliseconds. */
const slowMs = 500
/** Age from which a drill is too old: it runs weekly. */
const drillMaxMs = 15 * 86_400_000

/** Returns the health of the system as this replica sees it. */
export async function getSystemHealth(services: Part) {
  const { db, clock, config } = services
  const known = await getInstallation(db)
  return {
    version: config.release.version,
    date_start: iso(later(clock.now(), -Math.round(process.uptime() * 1000))),
    disks: await listDisks(config.dataDir),
    memory: memoryNow(),
    relays: await relaysNow(services),
    mail: mailOf(known, config.mail !== null),
    database: await databaseNow(services),
    backup: backupOf(services, known),
  }
}

/** Returns the disks of the data folder, and of this machine's recordings where they are on another one. Sizes in bytes. */
export async function listDisks(dataDir: string) {
  const recordings = join(dataDir, 'recordings')
  const [data, own] = await Promise.all([stat(dataDir), stat(recordings).catch(() => null)])
  const folders = [
    { of: own === null || own.dev === data.dev ? 'both' : 'data', folder: dataDir } as const,
    ...(own !== null && own.dev !== data.dev ? [{ of: 'recordings', folder: recordings } as const] : []),
  ]
  return Promise.all(
    folders.map(async ({ of, folder }) => {
      const { bavail, blocks, bsize } = await statfs(folder)
      const [free, total] = [bavail * bsize, blocks * bsize]
      return { of, free, total, state: diskState(free, total) }
    }),
  )
}

/** @param free bytes @param total bytes */
export const diskState = (free: number, total: number): CheckState =>
  free < leastBytes ? 'bad' : free < Math.min(total * shortShare, enoughBytes) ? 'warn' : 'good'

function memoryNow() {
  const [free, total] = [freemem(), totalmem()]
  const state: CheckState = free < total * shortShare ? 'warn' : 'good'
  return { state, used: process.memoryUsage.rss(), free, total }
}

async function relaysNow(services: Part) {
  const { servers, cause } = await listServersOrCause(services)
  const list = servers.map(({ city, isStale, full, ffmpeg, dateReport }) => ({
    name: city,
    connected: !isStale,
    full,
    ffmpeg: ffmpeg?.version ?? null,
    date_report: dateReport,
  }))
  const up = list.filter(({ connected }) => connected)
  const state: CheckState =
    up.length === 0 ? 'bad' : up.some(({ full }) => !full) && up.length === list.length ? 'good' : 'warn'
  const ffmpeg: CheckState = up.length === 0 ? 'unknown' : up.every((each) => each.ffmpeg !== null) ? 'good' : 'warn'
  return { state, ffmpeg, reason: cause.reason, ports: cause.ports ?? [], list }
}

/** Returns the state of mail: good only after the mail server has accepted an e-mail, and none failed since. */
function mailOf(known: InstallationRow, configured: boolean) {
  const { date_mail: date_sent, date_mail_failure: date_failure, mail_failure: failure } = known
  const isFailing = date_failure !== null && (date_sent === null || date_failure > date_sent)
  const state: CheckState = !configured ? 'warn' : isFailing ? 'bad' : date_sent === null ? 'unknown' : 'good'
  return { state, configured, date_sent, date_failure, failure: isFailing ? failure : null }
}

async function databaseNow({ db }: Part) {
  const begun = performance.now()
  const { size, schema } = await readDatabaseFacts(db)
  const ms = Math.round(performance.now() - begun)
  const state: CheckState = ms < slowMs ? 'good' : 'warn'
  return { state, kind: isSqlite(db) ? ('sqlite' as const) : ('postgres' as const), size, schema, ms }
}

function backupOf(services: Part, { date_backup: date, date_drill }: InstallationRow) {
  const state: CheckState = date === null ? 'warn' : date < backupLimit(services) ? 'bad' : 'good'
  const isOld = date_drill !== null && date_drill < iso(later(services.clock.now(), -drillMaxMs))
  const drill: CheckState = date_drill === null ? 'unknown' : isOld ? 'warn' : 'good'
  return { state, date, drill, date_drill }
}
