// Pull keys: admission of players, and usage of the keys.
import type { PullReport } from '#contract/relay/reports.ts'
import type { Transport } from '#contract/entities/ingest.ts'
import type { Services } from '#server/core/context.ts'
import { isOverGuesses, networkOf } from '#server/core/limits.ts'
import { sampleOf } from './records.ts'
import { type BroadcastRow, findOnAir } from './store.ts'
import { nodeOnAir } from '#server/domain/ingest/servers.ts'
import { findPullKey } from '#server/domain/ingest/pull-keys.ts'
import { updatePullKeyRow } from '#server/domain/ingest/pull-keys-store.ts'

const wrongKeysPerMinute = 30
/** Age after which the last sample of a node is outdated, milliseconds. */
const freshMs = 10_000

/** An admitted player. */
export interface Admitted {
  readonly keyId: number
  readonly projectId: number
}

/**
 * Returns whether a player may fetch by a key now.
 * @param player `node`: the relay node that the player is connected to; it serves only projects that it has on air
 * @returns the project, or the message for the user of the player
 */
export async function admitPlayer(
  services: Services,
  player: { readonly key: string; readonly address: string; readonly transport: Transport; readonly node?: string },
): Promise<Admitted | { readonly refuse: string }> {
  const found = await findPullKey(services, player.key)
  if (!found || found.transport !== player.transport) return refuseWrong(services, player.address)
  const onAir = await findOnAir(services.db, found.project_id)
  const here = onAir !== undefined && (player.node === undefined || onAir.node === player.node)
  const status = here ? 'inactive' : 'error'
  if (found.status !== status) await updatePullKeyRow(services.db, found.id, { status })
  if (!onAir) return { refuse: 'Nothing is on air' }
  return here ? { keyId: found.id, projectId: found.project_id } : refuseElsewhere(services, onAir)
}

/** Names the right server in the refusal: RTMP has no redirect for players. */
async function refuseElsewhere({ db }: Services, onAir: BroadcastRow): Promise<{ readonly refuse: string }> {
  const place = await nodeOnAir(db, onAir)
  const where = place ? `: ${place.host} (${place.city})` : ''
  return { refuse: `The stream is at another server${where}` }
}

const refuseWrong = ({ limits }: Services, address: string): { readonly refuse: string } => ({
  refuse: isOverGuesses(limits, `pull-key ${networkOf(address)}`, wrongKeysPerMinute)
    ? 'Too many wrong keys. Wait a minute'
    : 'The pull key is not known',
})

/** Returns the usage of a project's pull keys, by id; unused keys are left out. */
export async function pullsOnAir(
  { db, clock, relay }: Pick<Services, 'clock' | 'db' | 'relay'>,
  projectId: number,
): Promise<ReadonlyMap<number, PullReport>> {
  const onAir = await findOnAir(db, projectId)
  const sample = onAir && sampleOf(onAir)
  if (!sample) return new Map()
  const { at, pulls = [] } = sample
  const reported = clock.now().getTime() - at < freshMs ? pulls : []
  return new Map([...reported, ...relay.fetching(projectId)].map((facts) => [facts.id, facts]))
}
