// Ingest servers over HTTP: all of it is what relay nodes have reported.
import { type GraphType, type latencyProfiles, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { implement } from '#server/core/implement.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { loadGraph, qualityOf } from '#server/domain/ingest/graph.ts'
import type { Loads } from '#server/domain/ingest/health.ts'
import { listServers, listServersOrCause } from '#server/domain/ingest/servers.ts'
import { addressesOf, hostOf, pingHostOf, presentBase, presentLoads, presentServer } from './server-present.ts'

export const rtmpServerRoutes = implement(rtmpServers, {
  list: async ({ interval }, ctx) => {
    const { servers, cause } = await listServersOrCause(ctx, interval)
    return { results: servers.map((server, index) => presentServer(server, index, ctx)), ...cause }
  },

  baseList: async (_, ctx) => {
    const { servers, cause } = await listServersOrCause(ctx)
    return { results: servers.map((server, index) => presentBase(server, index, ctx)), ...cause }
  },

  state: async ({ interval }, ctx) => {
    const { servers, cause } = await listServersOrCause(ctx, interval)
    const results = servers.map((server) => ({
      city: server.city,
      country: presentCountry(server.country, ctx.language),
      lat: server.lat,
      long: server.long,
      ...presentLoads(server),
    }))
    return { results, ...cause }
  },

  graph: async ({ interval, type }, ctx) => {
    const { timeLine, places } = await loadGraph(ctx, interval, drawn[type])
    const countries = Map.groupBy(places, ({ country }) => country)
    return {
      type,
      timeLine: [...timeLine],
      countries: [...countries].map(([code, cities]) => ({
        countryName: presentCountry(code, ctx.language).name,
        cities: cities.map(({ city, values }) => ({ cityName: city, chartData: [...values] })),
      })),
    }
  },

  up: async (_, ctx) => {
    const { servers, cause } = await listServersOrCause(ctx)
    const having = (health: string) => servers.filter((server) => server.health === health).length
    const dates = servers.map(({ dateReport }) => dateReport).toSorted()
    return {
      up: servers.some(({ health }) => health !== 'bad'),
      reason: cause.reason,
      servers: { total: servers.length, good: having('good'), problem: having('problem'), bad: having('bad') },
      date_report: dates.at(-1) ?? null,
    }
  },

  locations: async (_, ctx) => {
    const { servers } = await listServers(ctx)
    const results = servers
      .filter(({ isStale }) => !isStale)
      .map((server) => {
        const { rtmp, srt } = addressesOf(server, ctx)
        const name = [server.city, presentCountry(server.country, ctx.language).name].filter(Boolean).join(', ')
        return { name, host: pingHostOf(server, ctx), url: rtmp ?? srt ?? hostOf(server, ctx) }
      })
    return { results }
  },

  srtLatency: async ({ dst_ip, rtt, profile }, ctx) => {
    const server = (await listServers(ctx)).servers.find((one) => pingHostOf(one, ctx) === dst_ip)
    const isKnown = server !== undefined && rtt !== undefined
    return {
      src_ip: ctx.address,
      dst_ip,
      profile,
      latency: isKnown ? Math.max(leastLatencyMs, Math.ceil(rtt * timesThereAndBack[profile])) : null,
      found: server !== undefined,
      stale: server?.isStale ?? false,
      generated_at: server?.dateReport ?? null,
      message: srtMessage(server !== undefined, rtt !== undefined),
    }
  },
})

/** Value of each kind of graph, percent. */
const drawn: Readonly<Record<GraphType, (loads: Loads) => number>> = {
  performance: qualityOf,
  network: ({ network }) => network,
  cpu: ({ cpu }) => cpu,
  ram: ({ ram }) => ram,
  deliveredPackages: ({ delivered }) => delivered,
}

/** Default latency of SRT. */
const leastLatencyMs = 120
const timesThereAndBack: Readonly<Record<(typeof latencyProfiles)[number], number>> = { low: 3, normal: 4, safe: 6 }

function srtMessage(isFound: boolean, isMeasured: boolean): string {
  if (!isFound) return 'No such server has reported'
  return isMeasured
    ? 'Set it on both sides; the larger one counts'
    : 'Measure the time there and back, and say it as rtt'
}
