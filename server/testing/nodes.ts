// Reports of relay nodes, as tests send them: the relay itself is another program.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { reportNode } from '#server/domain/ingest-nodes.ts'
import type { SentReport } from '#server/domain/ingest-report.ts'
import { findProjectByStreamKey } from '#server/domain/stream-keys.ts'

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
    srt: 'srt://fra.example.com:8094?streamid={{key}}',
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
