// Fetching a project's stream by a pull key: whose it is, whether there is something to fetch, and who fetches.
import type { StoredSample } from '#contract/relay/events.ts'
import type { PullReport } from '#contract/relay/reports.ts'
import type { Transport } from '#contract/entities/ingest.ts'
import type { Services } from '#server/core/context.ts'
import { RateLimitedError } from '#server/core/errors.ts'
import { networkOf } from '#server/core/limits.ts'
import { type BroadcastRow, findOnAir } from './store.ts'
import { nodeOnAir } from '#server/domain/ingest/servers.ts'
import { findPullKey } from '#server/domain/ingest/pull-keys.ts'
import { updatePullKeyRow } from '#server/domain/ingest/pull-keys-store.ts'

const wrongKeysPerMinute = 30
/** What a node told longer ago says nothing about now. */
const freshMs = 10_000

/** A key that may be fetched by now. */
export interface Admitted {
  readonly keyId: number
  readonly projectId: number
}

/**
 * Whether somebody may fetch by a key now.
 * @param asked `node`: the relay node that was asked; it can only give what it has
 * @returns the project, or what the player shall tell its user
 */
export async function admitPlayer(
  services: Services,
  asked: { readonly key: string; readonly address: string; readonly transport: Transport; readonly node?: string },
): Promise<Admitted | { readonly refuse: string }> {
  const found = await findPullKey(services, asked.key)
  if (!found || found.transport !== asked.transport) return refuseWrong(services, asked.address)
  const onAir = await findOnAir(services.db, found.project_id)
  const here = onAir !== undefined && (asked.node === undefined || onAir.node === asked.node)
  const status = here ? 'inactive' : 'error'
  if (found.status !== status) await updatePullKeyRow(services.db, found.id, { status })
  if (!onAir) return { refuse: 'Nothing is on air' }
  return here ? { keyId: found.id, projectId: found.project_id } : refuseElsewhere(services, onAir)
}

/** By RTMP a player that plays is sent nowhere else by the server: its user is told where to. */
async function refuseElsewhere({ db }: Services, onAir: BroadcastRow): Promise<{ readonly refuse: string }> {
  const place = await nodeOnAir(db, onAir)
  const where = place ? `: ${place.host} (${place.city})` : ''
  return { refuse: `The stream is at another server${where}` }
}

function refuseWrong(services: Services, address: string): { readonly refuse: string } {
  try {
    services.limits.count(`pull-key ${networkOf(address)}`, wrongKeysPerMinute)
  } catch (error) {
    if (error instanceof RateLimitedError) return { refuse: 'Too many wrong keys. Wait a minute' }
    throw error
  }
  return { refuse: 'The pull key is not known' }
}

/** How much the keys of a project are used now; a key that is not used is not in it. */
export async function pullsOnAir(
  { db, clock, relay }: Pick<Services, 'clock' | 'db' | 'relay'>,
  projectId: number,
): Promise<ReadonlyMap<number, PullReport>> {
  const onAir = await findOnAir(db, projectId)
  if (!onAir?.sample) return new Map()
  const { at, pulls = [] } = JSON.parse(onAir.sample) as StoredSample
  const told = clock.now().getTime() - at < freshMs ? pulls : []
  return new Map([...told, ...relay.fetching(projectId)].map((facts) => [facts.id, facts]))
}
