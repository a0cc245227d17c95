// Demand of a project for a second factor over HTTP.
import { security } from '#contract/areas/projects/security.ts'
import { implement } from '#server/core/implement.ts'
import { demandOfProject, setProjectDemand } from '#server/domain/projects/factor-demand.ts'

export const projectSecurityRoutes = implement(security, {
  get: async ({ project_id }, { db }) => {
    const { isDemanded, without } = await demandOfProject(db, project_id)
    return { second_factor: isDemanded, members_without: without }
  },
  set: async ({ project_id, second_factor }, ctx) => {
    await setProjectDemand(ctx, ctx.user, project_id, second_factor)
    return { success: true }
  },
})
