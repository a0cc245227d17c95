// Ingest servers as the wire has them.
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { keyPlaceholder } from '#contract/entities/ingest.ts'
import type { Call } from '#server/core/context.ts'
import { presentCountry } from '#server/domain/account/countries.ts'
import { healthOf, platformQuality } from '#server/domain/ingest/health.ts'
import type { Server } from '#server/domain/ingest/servers.ts'
import { factsOf, platformTypes } from '#contract/platforms/platforms.ts'

/** Language of the caller, and the origin of the request. */
export type Asked = Pick<Call, 'language' | 'origin'>

/** Where a browser measures the latency of a server; a node beside the service is as far away as that is. */
export const pingHostOf = ({ pingHost, beside }: Server, { origin }: Pick<Asked, 'origin'>): string =>
  pingHost || (beside ? (URL.parse(origin)?.host ?? '') : '')

/** Addresses of a server. One that listens on every address is reached by the host that the caller reached us by. */
export function addressesOf({ rtmp, rtmps, srt, pull }: Server, { origin }: Pick<Asked, 'origin'>) {
  const host = URL.parse(origin)?.hostname ?? ''
  const reached = (address: string | undefined) =>
    address?.replace(/(?<=^\w+:\/\/)(0\.0\.0\.0|\[::\])(?=[:/?]|$)/, (any) => host || any)
  return {
    rtmp: reached(rtmp),
    rtmps: reached(rtmps),
    srt: reached(srt),
    pull: { rtmp: reached(pull?.rtmp), srt: reached(pull?.srt), hls: pull?.hls },
  }
}

/** Presents name and location of a server. `index`: position in the list. */
export function presentBase(server: Server, index: number, asked: Asked) {
  const { rtmp, rtmps, srt } = addressesOf(server, asked)
  return {
    id: server.id,
    pool_id: server.pool,
    city: server.city,
    country: presentCountry(server.country, asked.language),
    urls: {
      ...(rtmp && { rtmp: { value: rtmp, mask: `${rtmp}/${keyPlaceholder}` } }),
      ...(rtmps && { rtmps: { value: rtmps, mask: `${rtmps}/${keyPlaceholder}` } }),
      ...(srt && { srt: { value: srt, mask: srtWithKey(srt) } }),
    },
    pingHost: pingHostOf(server, asked),
    index,
    options: { allowDedicatedServer: server.dedicated },
  }
}

/** Loads of the interval, and health of the last minutes. */
export const presentLoads = ({ loads, quality, health, platforms, isStale }: Server) => ({
  ...loads,
  quality,
  serverStatus: health,
  platforms: platforms.map(({ id, delivered, reconnects }) => {
    const reached = isStale ? 0 : platformQuality(delivered, reconnects)
    return { id, quality: reached, title: titles.get(id) ?? '', status: healthOf(reached), reconnect: reconnects }
  }),
})

/** Where a project is fetched from a server, with `{{key}}`. HLS goes through the service, where the server can cut it. */
export function pullUrls(server: Server, asked: Pick<Asked, 'origin'>) {
  const { rtmp = null, srt = null, hls } = addressesOf(server, asked).pull
  return { rtmp, srt, hls: hls ?? (server.ffmpeg ? `${asked.origin}/pull/${keyPlaceholder}/index.m3u8` : null) }
}

/** A row of the list, with the fields of all three published versions. */
export const presentServer = (server: Server, index: number, asked: Asked): IngestServer => ({
  ...presentBase(server, index, asked),
  url: hostOf(server, asked),
  ...presentLoads(server),
  silent: server.isStale,
  full: server.full,
  ffmpeg: server.ffmpeg !== null,
  bonding: server.bonding && server.srt !== undefined,
})

/** The bare host that encoders connect to. */
export function hostOf(server: Server, asked: Pick<Asked, 'origin'>): string {
  const { rtmp, srt } = addressesOf(server, asked)
  return URL.parse(rtmp ?? srt ?? '')?.hostname ?? server.pingHost
}

const titles = new Map(platformTypes.map(factsOf).map(({ id, title }) => [id, title]))

/** An SRT address has a query already, or begins one with the key. */
const srtWithKey = (address: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}streamid=${keyPlaceholder}`
