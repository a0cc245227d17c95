// "Stop" holds. Encoders come back by themselves seconds after they were disconnected, so one that goes on sending is not on
// air again before it was stopped itself, was away for a while, or somebody lets it (decision 0023).
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { type BroadcastRow, findLastBroadcast, updateBroadcast, updateOnAir, updateStop } from './store.ts'

type Here = Pick<Services, 'db' | 'clock'>

/** How long a hold lasts after the node last said that the encoder is there: it may have died with it. Seconds. */
const heldSeconds = 60
/** What may be missing of that before it is written anew, seconds. */
const renewSeconds = 10

const inSeconds = ({ clock }: Here, seconds: number): string => iso(later(clock.now(), seconds * 1000))

/** Somebody stops a broadcast. It is kept at once; the node ends it, now or as soon as it is there. */
export async function stopBroadcast(
  services: Services,
  { id, project_id }: BroadcastRow,
  userId: number,
): Promise<void> {
  await updateOnAir(services.db, id, { held_until: inSeconds(services, heldSeconds), stopped_by: userId })
  services.relay.stop(project_id)
}

/** The broadcast that was stopped while its encoder goes on sending, as far as that is known; the last one of the project. */
export async function findHeld({ db, clock }: Here, projectId: number): Promise<BroadcastRow | undefined> {
  const last = await findLastBroadcast(db, projectId)
  const isHeld = last !== undefined && last.date_end !== null && (last.held_until ?? '') > iso(clock.now())
  return isHeld ? last : undefined
}

/** A node says that the encoder is still there. @returns false when it may be on air again */
export async function keepHeld(services: Here, projectId: number): Promise<boolean> {
  const last = await findLastBroadcast(services.db, projectId)
  if (!last || last.held_until === null) return false
  await updateStop(services.db, last.id, {
    until: inSeconds(services, heldSeconds),
    ifBefore: inSeconds(services, heldSeconds - renewSeconds),
  })
  return true
}

/** The encoder has gone, or may be on air again. @returns false when it was not held */
export async function endHeld(services: Here, projectId: number): Promise<boolean> {
  const held = await findHeld(services, projectId)
  if (!held) return false
  await updateBroadcast(services.db, held.id, { held_until: null })
  return true
}
