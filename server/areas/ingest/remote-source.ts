// The remote source of a project over HTTP.
import { remoteSource } from '#contract/areas/ingest/remote-source.ts'
import { implement } from '#server/core/implement.ts'
import { findRemoteSource } from '#server/domain/ingest/remote-sources-store.ts'
import { removeRemote, startRemote, stopRemote } from '#server/domain/ingest/remote-sources.ts'

const none = { address: '', is_on: false, state: 'off', words: '', date_state: null } as const

export const remoteSourceRoutes = implement(remoteSource, {
  get: async ({ project_id }, { db }) => {
    const row = await findRemoteSource(db, project_id)
    if (!row) return none
    const { address, state, words, date_state } = row
    return { address, is_on: row.is_on === 1, state, words, date_state }
  },

  start: async ({ project_id, url }, ctx) => {
    await startRemote(ctx, { projectId: project_id, userId: ctx.user.id }, url)
    return { success: true }
  },

  stop: async ({ project_id }, ctx) => {
    await stopRemote(ctx, { projectId: project_id, userId: ctx.user.id })
    return { success: true }
  },

  remove: async ({ project_id }, ctx) => {
    await removeRemote(ctx, project_id)
    return { success: true }
  },
})
