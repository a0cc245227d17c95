// Pull servers over HTTP: relay nodes that say where streams are fetched from them.
import { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import { implement } from '#server/core/implement.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { fetchable, listServers } from '#server/domain/ingest/servers.ts'
import { pingHostOf, pullUrls } from './server-present.ts'

export const pullServerRoutes = implement(pullServers, {
  list: async (_, ctx) => {
    const { servers, reason } = await listServers(ctx)
    const results = fetchable(servers).map((server) => ({
      city: server.city,
      pingHost: pingHostOf(server, ctx),
      url: pullUrls(server, ctx),
      country: presentCountry(server.country, ctx.language),
      targetKey: `pull:${server.id}`,
    }))
    return { results, reason: reason ?? (results.length === 0 ? 'none_reported' : null) }
  },
})
