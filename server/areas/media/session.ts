// Permissions to upload a film and to follow its progress.
import { uploadsPath } from '#contract/entities/media.ts'
import { channelName } from '#contract/events/channels.ts'
import { iso } from '#server/core/clock.ts'
import type { Context, ProjectAccess } from '#server/core/context.ts'
import { uploadTickets } from '#server/domain/media/tickets.ts'
import { leftOf, storageOf } from '#server/domain/media/space.ts'
import { signChannel } from '#server/domain/realtime/tokens.ts'

type Ctx = Omit<Context<'session'>, 'project'> & { readonly project: ProjectAccess }

/** Returns the realtime channel of a film, and its token. */
export async function progressChannel(
  ctx: Ctx,
  id: number,
): Promise<{ readonly channel: string; readonly token: string }> {
  const channel = channelName('media_file', id)
  return { channel, token: await signChannel(ctx, ctx.project, channel, ctx.user) }
}

/** Returns what the upload of a film needs. */
export async function uploadSession(
  ctx: Ctx,
  { media_id: id, file_id }: { readonly media_id: number; readonly file_id: string },
) {
  const about = { projectId: ctx.project.id, sessionId: ctx.user.sessionId, id, fileId: file_id }
  const { ticket, until } = uploadTickets.issue(ctx, about)
  return {
    file_id,
    ...(await progressChannel(ctx, id)),
    upload_url: uploadsPath,
    ticket,
    space: leftOf(await storageOf(ctx, ctx.project.id, { exceptFilm: id })),
    expires_at: iso(until),
  }
}
