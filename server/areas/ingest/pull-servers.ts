// Pull servers over HTTP: relay nodes that say where streams are fetched from them.
import { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import { implement } from '#server/core/implement.ts'
import { fetchable, listServers } from '#server/domain/ingest-servers.ts'
import { presentCountry } from './server-present.ts'

export const pullServerRoutes = implement(pullServers, {
  list: async (_, ctx) => {
    const { servers, reason } = await listServers(ctx)
    const results = fetchable(servers).map(({ id, city, country, pingHost, pull }) => ({
      city,
      pingHost,
      url: { rtmp: pull?.rtmp ?? null, srt: pull?.srt ?? null, hls: pull?.hls ?? null },
      country: presentCountry(country, ctx.language),
      targetKey: `pull:${id}`,
    }))
    return { results, reason: reason ?? (results.length === 0 ? 'none_reported' : null) }
  },
})
