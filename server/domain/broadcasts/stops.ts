// "Stop" holds. Encoders come back by themselves seconds after they were disconnected, so one that goes on sending is not on
// air again before it was stopped itself, was away for a while, or somebody lets it (decision 0023).
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db } from '#server/db/open.ts'
import type { BroadcastRow } from './store.ts'

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
  await services.db
    .updateTable('broadcasts')
    .set({ held_until: inSeconds(services, heldSeconds), stopped_by: userId })
    .where('id', '=', id)
    .where('date_end', 'is', null)
    .execute()
  services.relay.stop(project_id)
}

/** The broadcast that was stopped while its encoder goes on sending, as far as that is known; the last one of the project. */
export async function findHeld({ db, clock }: Here, projectId: number): Promise<BroadcastRow | undefined> {
  const last = await findLast(db, projectId)
  const isHeld = last !== undefined && last.date_end !== null && (last.held_until ?? '') > iso(clock.now())
  return isHeld ? last : undefined
}

/** A node says that the encoder is still there. @returns false when it may be on air again */
export async function keepHeld(services: Here, projectId: number): Promise<boolean> {
  const last = await findLast(services.db, projectId)
  if (!last || last.held_until === null) return false
  await services.db
    .updateTable('broadcasts')
    .set({ held_until: inSeconds(services, heldSeconds) })
    .where('id', '=', last.id)
    .where('held_until', '<', inSeconds(services, heldSeconds - renewSeconds))
    .execute()
  return true
}

/** The encoder has gone, or may be on air again. @returns false when it was not held */
export async function endHeld(services: Here, projectId: number): Promise<boolean> {
  const held = await findHeld(services, projectId)
  if (!held) return false
  await services.db.updateTable('broadcasts').set({ held_until: null }).where('id', '=', held.id).execute()
  return true
}

const findLast = (db: Db, projectId: number): Promise<BroadcastRow | undefined> =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
