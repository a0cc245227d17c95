// Remote sources: a relay node fetches the stream of a project from an address, in the place of an encoder.
import {
  type DesiredRemote,
  type RemoteScheme,
  remoteSchemes,
  type RemoteState,
} from '#contract/entities/remote-source.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { secretKind } from '#server/core/found-secrets.ts'
import type { JobKind } from '#server/core/jobs.ts'
import { scheduleJob, scheduleJobs } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { isPublicHost } from '#server/domain/channels/destinations.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { staleAfterMs } from './health.ts'
import {
  findRemoteSource,
  listRemoteProjects,
  listRemoteSources,
  type RemoteSourceRow,
  remoteSourceKind,
  removeRemoteSource,
  updateRemoteSource,
  updateRemoteState,
  upsertRemoteSource,
} from './remote-sources-store.ts'
import { listNodesNow } from './servers.ts'
import { readStreamKey, streamKeyOf } from './stream-keys.ts'

const secrets = secretKind('remote source')

/** Interval in which the node of a source is looked at, milliseconds. */
const lookMs = 30_000

interface By {
  readonly projectId: number
  readonly userId: number
}

/**
 * Starts to fetch. @param url omitted: the stored address
 * @throws RuleError `RemoteAddress`, `RemoteAddress_private`, `RemoteMissing`, `KeyUnreadable`
 */
export async function startRemote(services: Services, by: By, url: string | undefined): Promise<void> {
  const { db, clock } = services
  const stored = await findRemoteSource(db, by.projectId)
  if (url === undefined && !stored) throw new RuleError('RemoteMissing')
  const source =
    url === undefined && stored
      ? { address: stored.address, url_sealed: stored.url_sealed }
      : sealed(services, readRemoteAddress(services, url ?? ''))
  // A node is admitted by the stream key.
  await readStreamKey(services, by.projectId)
  await transaction(db, async (trx) => {
    const state = { state: 'waiting', words: '', date_state: iso(clock.now()) } as const
    await upsertRemoteSource(trx, { project_id: by.projectId, is_on: 1, ...source, ...state })
    await recordHistory(services, trx, { ...by, action: 'remote_source_started', details: { name: source.address } })
    await scheduleJob(trx, remoteSourceKind, by.projectId)
  })
}

/** Stops to fetch: the broadcast ends as if an encoder ended it. @throws RuleError `RemoteMissing` */
export async function stopRemote(services: Services, by: By): Promise<void> {
  await transaction(services.db, async (trx) => {
    const row = await findRemoteSource(trx, by.projectId)
    if (!row) throw new RuleError('RemoteMissing')
    if (row.is_on === 0) return
    const date = iso(services.clock.now())
    await updateRemoteSource(trx, by.projectId, { is_on: 0, state: 'off', words: '', date_state: date })
    await recordHistory(services, trx, { ...by, action: 'remote_source_stopped', details: { name: row.address } })
    await scheduleJob(trx, remoteSourceKind, by.projectId)
  })
}

/** Forgets the address. @throws RuleError `RemoteMissing`, `RemoteRunning` */
export async function removeRemote({ db }: Services, projectId: number): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await findRemoteSource(trx, projectId)
    if (!row) throw new RuleError('RemoteMissing')
    if (row.is_on === 1) throw new RuleError('RemoteRunning')
    await removeRemoteSource(trx, projectId)
  })
}

/** Records what a node reports. @returns false when the node does not have the source: it gets its list again */
export const noteRemote = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  node: string,
  { projectId, state, words }: { readonly projectId: number; readonly state: RemoteState; readonly words: string },
): Promise<boolean> => updateRemoteState(db, { projectId, node, state, words, date_state: iso(clock.now()) })

/** Returns the sources that a node has to fetch. */
export async function remotesOf(
  services: Reading<Pick<Services, 'db' | 'config'>>,
  node: string,
): Promise<DesiredRemote[]> {
  const found: DesiredRemote[] = []
  for (const row of await listRemoteSources(services.db, node)) {
    const url = secrets.read(services, { key_sealed: row.url_sealed })
    const key = await streamKeyOf(services, row.project_id)
    if (url !== null && key !== null) found.push({ projectId: row.project_id, url, key })
  }
  return found
}

/**
 * Looks at the sources of a node that disconnected, or drains; null: at those without a node, because one takes work now.
 * @param inMs time that the node has to come back, milliseconds
 */
export async function wakeRemotesOfNode(trx: Trx, node: string | null, inMs = 0): Promise<void> {
  const jobs = (await listRemoteSources(trx, node)).map((row) => ({ ...remoteSourceKind, key: String(row.project_id) }))
  await scheduleJobs(trx, jobs, { skipsBackoff: true, inMs })
}

/** Assigns a source to a node that can fetch, and to another one when that is gone. The key is the project. */
export const remoteSourceJob: JobKind = {
  ...remoteSourceKind,
  leaseMs: 60_000,
  atOnce: 8,
  backoff: { firstMs: 5_000, mostMs: 60_000 },
  parkAfter: 'never',
  missing: async (db) => (await listRemoteProjects(db)).map(String),
  async run(services, { key }) {
    const { db, relay, clock } = services
    const row = await findRemoteSource(db, Number(key))
    if (!row) return 'done'
    const node = row.is_on === 1 ? await nodeFor(services, row) : null
    if (node !== row.node) {
      const waits = { state: 'waiting', words: '', date_state: iso(clock.now()) } as const
      await updateRemoteSource(db, row.project_id, { node, ...(row.is_on === 1 && waits) })
    }
    for (const name of new Set([row.node, node])) if (name !== null) relay.fetch(name, await remotesOf(services, name))
    return row.is_on === 1 ? { againMs: lookMs } : 'done'
  },
}

/** Returns the node that fetches: the one that does, else the one with the least load; null: none can now. */
async function nodeFor(
  services: Pick<Services, 'db' | 'clock' | 'relay'>,
  { node: before }: RemoteSourceRow,
): Promise<string | null> {
  const able = (await listNodesNow(services, staleAfterMs)).filter(
    ({ node, about }) => about.remote && !about.drainUntil && services.relay.has(node),
  )
  if (able.some(({ node }) => node === before)) return before
  const free = able.filter(({ about }) => !about.full)
  return free.toSorted((a, b) => (a.loads?.cpu ?? 0) - (b.loads?.cpu ?? 0))[0]?.node ?? null
}

/** Checks an address. @throws RuleError `RemoteAddress`, `RemoteAddress_private` */
function readRemoteAddress({ config }: Pick<Services, 'config'>, text: string): URL {
  const url = URL.parse(text.trim())
  const scheme = url?.protocol.slice(0, -1) as RemoteScheme
  if (!url || !remoteSchemes.includes(scheme) || url.hostname === '') throw new RuleError('RemoteAddress')
  if (scheme === 'srt' && (url.port === '' || (url.searchParams.get('mode') ?? 'caller') !== 'caller'))
    throw new RuleError('RemoteAddress')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // ffmpeg follows redirects of RTSP by itself, to private networks as well.
  if (!config.allowPrivateDestinations && (scheme === 'rtsp' || !isPublicHost(host)))
    throw new RuleError('RemoteAddress_private')
  return url
}

const sealed = (services: Pick<Services, 'config'>, url: URL) => ({
  address: `${url.protocol}//${url.host}`,
  url_sealed: secrets.store(services, url.href).key_sealed,
})
