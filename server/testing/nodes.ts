// Reports of relay nodes, sent without a relay.
import type { RelayEvent } from '#contract/relay/events.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { reportNode } from '#server/domain/ingest/nodes.ts'
import type { SentReport } from '#server/domain/ingest/report.ts'
import { findProjectByStreamKey } from '#server/domain/ingest/stream-keys.ts'

/** A node in Frankfurt with all protocols, at half of its capacity. */
export const someNode = {
  node: 'fra-1',
  pool: 1,
  city: 'Frankfurt',
  country: 'DE',
  lat: 50.11,
  long: 8.68,
  pingHost: 'fra.example.com',
  rtmp: 'rtmp://fra.example.com:1935/live',
  srt: 'srt://fra.example.com:8093',
  pull: {
    rtmp: 'rtmp://fra.example.com:1935/pull/{{key}}',
    srt: 'srt://fra.example.com:8093?streamid=pull/{{key}}',
    hls: 'https://fra.example.com/pull/{{key}}/index.m3u8',
  },
  load: { network: 20, cpu: 30, ram: 40, delivered: 100 },
  platforms: [{ id: 4, delivered: 100, reconnects: 0 }],
} satisfies Omit<SentReport, 'time'>

/**
 * Stores a report of a node, made now or `agoMs` ago.
 * @example await report(world.services, { node: 'ams-1', city: 'Amsterdam' }, 60_000)
 */
export const report = (services: Services, changes: Partial<SentReport> = {}, agoMs = 0): Promise<boolean> =>
  reportNode(services, { ...someNode, time: iso(later(services.clock.now(), -agoMs)), ...changes })

/** Returns the project of a stream key, null for an unknown key. */
export const projectOfKey = async (services: Services, key: string): Promise<number | null> =>
  (await findProjectByStreamKey(services, key))?.projectId ?? null

/** Ingest report for tests that do not depend on its values. */
export const someIngest = {
  kbps: 6000,
  fps: 30,
  gopMs: 2000,
  videoCodec: 'avc1',
  audioCodec: 'aac',
  width: 1920,
  height: 1080,
} as const

/**
 * Puts a project on air at a node, with one sample of one second.
 * @example await goOnAir(world.services, ann.projectId, { pulls: [{ id: 1, viewers: 2, kbps: 12_000 }] })
 */
export async function goOnAir(
  services: Services,
  projectId: number,
  reported: Pick<RelayEvent & { readonly type: 'sample' }, 'transcoders' | 'pulls'> = {},
): Promise<void> {
  const at = services.clock.now().getTime()
  const about = { projectId, at }
  await handleEvent(services, 'here', at, { type: 'source-began', ...about, encoder: 'OBS', address: '192.0.2.1' })
  await handleEvent(services, 'here', at + 1, {
    type: 'sample',
    ...about,
    ingest: someIngest,
    destinations: [],
    ...reported,
  })
}

/** Moves the lease of a project into the past, as if the database's clock had advanced. */
export async function ageLease(
  { services }: { readonly services: Pick<Services, 'db'> },
  projectId: number,
  ms = 25_000,
): Promise<void> {
  await services.db
    .updateTable('owners')
    .set((eb) => ({ until: eb('until', '-', ms) }))
    .where('kind', '=', 'air')
    .where('key', '=', String(projectId))
    .execute()
}
