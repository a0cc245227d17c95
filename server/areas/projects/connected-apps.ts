// Connected apps of a project over HTTP.
import { connectedApps } from '#contract/areas/projects/connected-apps.ts'
import { iso } from '#server/core/clock.ts'
import { implement } from '#server/core/implement.ts'
import { disconnectApp } from '#server/domain/projects/apps.ts'
import { listGrants } from '#server/domain/projects/apps-store.ts'
import { presentGrants } from '#server/domain/projects/present-grant.ts'

export const connectedAppRoutes = implement(connectedApps, {
  list: async (_, { db, clock, project, origin }) => ({
    results: presentGrants(await listGrants(db, { projectId: project.id }, iso(clock.now())), origin),
  }),

  disconnect: async ({ grant_id }, ctx) => {
    await disconnectApp(ctx, { id: grant_id, projectId: ctx.project.id })
    return { success: true }
  },
})
