// Live: restreams of a broadcast by the older path.
import { live } from '#contract/areas/broadcasts/live.ts'
import { implement } from '#server/core/implement.ts'
import { getBroadcast } from '#server/domain/broadcasts/access.ts'
import { signChannel } from '#server/domain/realtime/tokens.ts'
import { presentLive } from './live-present.ts'

export const liveRoutes = implement(live, {
  restreams: async (which, ctx) =>
    presentLive(ctx, await getBroadcast(ctx, which), (channel) => signChannel(ctx, ctx.project, channel, ctx.user)),
})
