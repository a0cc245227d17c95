// Relay nodes of the installation over HTTP, for operators.
import { servers } from '#contract/areas/operator/servers.ts'
import { implement } from '#server/core/implement.ts'
import { changeDrain, listOperatorServers } from '#server/domain/operator/servers.ts'

export const serversRoutes = implement(servers, {
  list: async (_, ctx) => ({ results: await listOperatorServers(ctx) }),
  drain: async ({ node, minutes, reason }, ctx) => {
    await changeDrain(ctx, ctx.user, { node, minutes, reason })
    return { success: true }
  },
  cancel: async ({ node, reason }, ctx) => {
    await changeDrain(ctx, ctx.user, { node, minutes: null, reason })
    return { success: true }
  },
})
