// One channel for a destination: an address and a key belong to one channel of a project.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { type Destination, readAddress } from './destinations.ts'
import { type ChannelSecret, unsealSecret } from './secrets.ts'
import { listOwnedDestinations } from './store.ts'

/** A destination with its stream key. */
interface Keyed {
  readonly destination: Destination
  readonly key: string
}

/** Returns the channels that a project owns with an address and key, the first one first. */
export async function findSame(
  services: Pick<Services, 'config'>,
  db: ReadDb,
  projectId: number,
  { destination, key }: Keyed,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const wanted = placeOf(destination)
  const there = (await listOwnedDestinations(db, projectId)).filter(({ address }) => placeIn(address) === wanted)
  const isSame = (secret: ChannelSecret | null) => secret?.key === key && secret.query === destination.query
  return there.filter(({ secret_sealed }) => isSame(unsealSecret(services, secret_sealed)))
}

/**
 * Refuses an address and key that another channel of the project has. Channels that another project shares are not compared:
 * the refusal would confirm a guess of their keys. The project is locked.
 * @param channelId the channel that moves; null: a new one
 * @throws RuleError `AlreadyAdded` with that channel
 */
export async function refuseSecond(
  services: Pick<Services, 'config'>,
  trx: ReadDb,
  { projectId, channelId }: { readonly projectId: number; readonly channelId: number | null },
  keyed: Keyed,
): Promise<void> {
  const same = await findSame(services, trx, projectId, keyed)
  // A channel may keep what it has, also where a project got it twice before.
  const first = same.some(({ id }) => id === channelId) ? undefined : same[0]
  if (first) throw new RuleError('AlreadyAdded_address', { channel_id: first.id, name: first.name })
}

/** An address in one spelling, with its port, without its query. */
const placeOf = ({ protocol, host, port, path }: Destination): string => `${protocol}://${host}:${port}/${path}`

function placeIn(address: string | null): string | null {
  const read = address === null ? null : readAddress(address, { allowPrivateDestinations: true })
  return read === null || 'fault' in read ? null : placeOf(read)
}
