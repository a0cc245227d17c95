// Who has a channel, as the database knows it, and what is noted about it in the history of both projects.
import type { HistoryAction } from '#contract/entities/history.ts'
import type { AccessType } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { projectName } from '#server/domain/projects/projects.ts'

/** Takes hold of a channel until the transaction ends: one change of who has it at a time. */
export async function lockChannel(trx: Trx, channelId: number): Promise<void> {
  await trx.selectFrom('channels').select('id').where('id', '=', channelId).forUpdate().executeTakeFirst()
}

/** The projects that have a channel, in the order in which they came to it. */
export const listLinks = (db: Db | Trx, channelId: number) =>
  db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .innerJoin('projects', 'projects.id', 'link.project_id')
    .select([
      'link.id',
      'link.project_id',
      'link.channel_id',
      'link.access_type',
      'link.active',
      'channels.owner_project_id',
      'channels.name as channel_name',
      'projects.name',
      'projects.fename',
      'projects.photo',
      'projects.external_id',
    ])
    .where('link.channel_id', '=', channelId)
    .orderBy('link.id')
    .execute()

/** How one project has a channel; undefined when it does not. */
export const findLink = (trx: Trx, projectId: number, channelId: number) =>
  trx
    .selectFrom('project_channels')
    .select(['id', 'project_id', 'access_type', 'active'])
    .where('project_id', '=', projectId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()

/** Lets a project have a channel, switched off: what goes on air is for that project to say. */
export async function insertLink(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  link: { readonly projectId: number; readonly channelId: number; readonly accessType: AccessType },
): Promise<void> {
  await trx
    .insertInto('project_channels')
    .values({
      project_id: link.projectId,
      channel_id: link.channelId,
      access_type: link.accessType,
      active: 0,
      transcoder_id: null,
      delay_seconds: 0,
      date_create: iso(clock.now()),
    })
    .execute()
}

/** How many projects have a channel. */
export async function countLinks(trx: Trx, channelId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('project_channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  return count
}

/** Something that two projects have to know. */
export interface Shared {
  readonly userId: number
  readonly channelId: number
  /** What the channel is called. */
  readonly name: string
  readonly ownerId: number
  /** Null: nobody yet. */
  readonly guestId: number | null
  readonly action: HistoryAction
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Notes a change in the history of the owner and of the guest; each reads there who the other one is. Before the change
 * itself: noting waits for whoever holds one of the projects, and they may wait for the rows that are changed.
 */
export async function noteShared(services: Pick<Services, 'clock'>, trx: Trx, shared: Shared): Promise<void> {
  const { userId, channelId, name, ownerId, guestId, action, details } = shared
  const sides =
    guestId === null
      ? ([[ownerId, null]] as const)
      : ([
          [ownerId, guestId],
          [guestId, ownerId],
        ] as const)
  for (const [projectId, otherId] of sides) {
    const other = otherId === null ? {} : { project: await projectName(trx, otherId) }
    await recordHistory(services, trx, {
      projectId,
      userId,
      action,
      channelId,
      details: { name, ...other, ...details },
    })
  }
}
