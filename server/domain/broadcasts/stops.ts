// Stopping a broadcast. Encoders reconnect automatically, so a stopped one stays off air until it is stopped itself,
// disconnects for a while, or a user resumes it (decision 0023).
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { type BroadcastRow, findLastBroadcast, updateBroadcast, updateOnAir, updateStop } from './store.ts'

type StopServices = Pick<Services, 'db' | 'clock'>

/** Duration of a stop after the node's last report of the encoder: node and encoder may have failed. Seconds. */
const stopSeconds = 60
/** Least extension that is written, seconds. */
const renewSeconds = 10

const inSeconds = ({ clock }: StopServices, seconds: number): string => iso(later(clock.now(), seconds * 1000))

/** Stops a broadcast. The node ends it, immediately or when it reconnects. */
export async function stopBroadcast(
  services: Services,
  { id, project_id }: BroadcastRow,
  userId: number,
): Promise<void> {
  await updateOnAir(services.db, id, { held_until: inSeconds(services, stopSeconds), stopped_by: userId })
  services.relay.stop(project_id)
}

/** Returns the stopped broadcast whose encoder continues to send: the latest of the project. */
export async function findStopped(
  { db, clock }: Reading<StopServices>,
  projectId: number,
): Promise<BroadcastRow | undefined> {
  const last = await findLastBroadcast(db, projectId)
  const isStopped = last !== undefined && last.date_end !== null && (last.held_until ?? '') > iso(clock.now())
  return isStopped ? last : undefined
}

/** Extends a stop while the encoder is connected. @returns false when the encoder may be on air again */
export async function extendStop(services: StopServices, projectId: number): Promise<boolean> {
  const last = await findLastBroadcast(services.db, projectId)
  if (!last || last.held_until === null) return false
  await updateStop(services.db, last.id, {
    until: inSeconds(services, stopSeconds),
    ifBefore: inSeconds(services, stopSeconds - renewSeconds),
  })
  return true
}

/** Ends a stop. @returns false when there was none */
export async function endStop(services: StopServices, projectId: number): Promise<boolean> {
  const stopped = await findStopped(services, projectId)
  if (!stopped) return false
  await updateBroadcast(services.db, stopped.id, { held_until: null })
  return true
}
