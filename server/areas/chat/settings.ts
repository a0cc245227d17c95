// Settings of chats over HTTP.
import { settings } from '#contract/areas/chat/settings.ts'
import { implement } from '#server/core/implement.ts'
import { changeSettings, readSettings } from '#server/domain/chat/settings.ts'

export const settingsRoutes = implement(settings, {
  get: ({ project_id }, ctx) => readSettings(ctx, ctx.db, project_id),
  set: ({ project_id, ...change }, ctx) => changeSettings(ctx, project_id, change),
})
