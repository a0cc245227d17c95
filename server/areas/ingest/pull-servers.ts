// Pull servers over HTTP: relay nodes that say where streams are fetched from them.
import { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import { implement } from '#server/core/implement.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { fetchable, listServersOrCause } from '#server/domain/ingest/servers.ts'
import { pingHostOf, pullUrls } from './server-present.ts'

export const pullServerRoutes = implement(pullServers, {
  list: async (_, ctx) => {
    const { servers, cause } = await listServersOrCause(ctx)
    const results = fetchable(servers).map((server) => ({
      city: server.city,
      pingHost: pingHostOf(server, ctx),
      url: pullUrls(server, ctx),
      country: presentCountry(server.country, ctx.language),
      targetKey: `pull:${server.id}`,
    }))
    return { results, ...cause, reason: cause.reason ?? (results.length === 0 ? 'none_reported' : null) }
  },
})
