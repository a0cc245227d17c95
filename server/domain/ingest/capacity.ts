// Transcoders that the servers can run in addition now.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { env, settings, whole } from '#server/core/variables.ts'
import type { ReadDb } from '#server/db/open.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { listServers } from './servers.ts'

export const transcoderSettings = settings({
  transcodersMax: env(
    'TRANSCODERS_MAX',
    whole(0, 1000),
    '4',
    'Transcoders per project. `RELAY_TRANSCODERS` limits how many run at a time on a relay',
  ),
})

/** Returns the maximum of transcoders of a project: that of the operator, else `TRANSCODERS_MAX`. */
export const transcodersMax = async ({ config }: Pick<Services, 'config'>, db: ReadDb): Promise<number> =>
  (await getInstallation(db)).transcoders_max ?? config.transcodersMax

type CapacityServices = Pick<Services, 'db' | 'clock' | 'config'>

/**
 * Returns the free transcoder slots of all servers, as they last reported. Where no server reports its slots: the maximum of
 * a project.
 */
export async function freeSlots(services: CapacityServices): Promise<number> {
  const { servers } = await listServers(services)
  const reported = servers.flatMap(({ isStale, transcoders }) => (isStale || !transcoders ? [] : [transcoders.free]))
  return reported.length === 0 ? transcodersMax(services, services.db) : reported.reduce((sum, free) => sum + free, 0)
}

/**
 * Refuses more transcoders than the servers can run.
 * @param request flows to buy; undefined: as many as run already
 * @throws RuleError `NoCapacity` with `{space}`
 */
export async function refuseWithoutCapacity(
  services: CapacityServices,
  { projectId, count }: { readonly projectId: number; readonly count?: number | undefined },
): Promise<void> {
  const { current } = (await readState(services.db, services.clock, projectId, 'transcoding')).slots
  const more = (count ?? current.count) - current.count
  if (more <= 0) return
  const space = await freeSlots(services)
  if (more > space) throw new RuleError('NoCapacity', { space })
}
