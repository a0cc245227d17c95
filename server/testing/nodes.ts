// Reports of relay nodes, as tests send them: the relay itself is another program.
import type { RelayEvent } from '#contract/relay/events.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { reportNode } from '#server/domain/ingest/nodes.ts'
import type { SentReport } from '#server/domain/ingest/report.ts'
import { findProjectByStreamKey } from '#server/domain/ingest/stream-keys.ts'

/** A node in Frankfurt that takes everything and is half busy. */
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
 * A node reports now, or some time ago.
 * @example await report(world.services, { node: 'ams-1', city: 'Amsterdam' }, 60_000)
 */
export const report = (services: Services, changes: Partial<SentReport> = {}, agoMs = 0): Promise<boolean> =>
  reportNode(services, { ...someNode, time: iso(later(services.clock.now(), -agoMs)), ...changes })

/** Whose key it is, as the relay asks; null for one that is nobody's. */
export const projectOfKey = async (services: Services, key: string): Promise<number | null> =>
  (await findProjectByStreamKey(services, key))?.projectId ?? null

/** What comes in, where it does not matter. */
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
 * A project is on air at a node, which has told one second of it.
 * @example await goOnAir(world.services, ann.projectId, { pulls: [{ id: 1, viewers: 2, kbps: 12_000 }] })
 */
export async function goOnAir(
  services: Services,
  projectId: number,
  told: Pick<RelayEvent & { readonly type: 'sample' }, 'transcoders' | 'pulls'> = {},
): Promise<void> {
  const at = services.clock.now().getTime()
  const about = { projectId, at }
  await handleEvent(services, 'here', at, { type: 'source-began', ...about, encoder: 'OBS', address: '192.0.2.1' })
  await handleEvent(services, 'here', at + 1, {
    type: 'sample',
    ...about,
    ingest: someIngest,
    destinations: [],
    ...told,
  })
}

/** Moves the lease of a project into the past, as if the database's clock had been turned on. */
export async function ageLease(
  { services }: { readonly services: Pick<Services, 'db'> },
  projectId: number,
  ms = 25_000,
): Promise<void> {
  await services.db
    .updateTable('air_leases')
    .set((eb) => ({ until: eb('until', '-', ms) }))
    .where('project_id', '=', projectId)
    .execute()
}
