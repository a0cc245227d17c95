// The older path of what of a broadcast moves.
import { live } from '#contract/areas/broadcasts/live.ts'
import { implement } from '#server/core/implement.ts'
import { getBroadcast } from '#server/domain/broadcast-access.ts'
import { presentLive } from './live-present.ts'

export const liveRoutes = implement(live, {
  restreams: async (which, ctx) => presentLive(ctx, await getBroadcast(ctx, which)),
})
