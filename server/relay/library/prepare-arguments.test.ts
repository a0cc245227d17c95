// The whitelist of protocols without that of containers, and the limits of small files.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { filmArguments, inspectArguments } from './film-arguments.ts'
import { limitsOf, masterArguments, probeArguments, silenceArguments, thumbnailArguments } from './prepare-arguments.ts'

let dir: string
beforeEach(() => {
  dir = folder()
})
afterEach(() => rmSync(dir, { recursive: true }))

const facts = { pictures: { width: 64, height: 64, frameRate: 10 }, sound: null }
const cases: Readonly<Record<string, (path: string, made: string) => readonly string[]>> = {
  probe: probeArguments,
  master: (path, made) => masterArguments(path, made, 60),
  silence: silenceArguments,
  thumbnail: (path) => thumbnailArguments(path, 0),
  inspect: inspectArguments,
  film: (path) => filmArguments(path, facts, null),
}

test.skipIf(!hasPrograms).each(Object.keys(cases))('%s: no protocol but those of the disk', (name) => {
  // ffmpeg deciphers the part of such a list by the protocol `crypto`, unless it may not.
  const key = '#EXT-X-KEY:METHOD=AES-128,URI="key.ts"'
  writeFileSync(join(dir, 'key.ts'), Buffer.alloc(16))
  writeFileSync(join(dir, 'part.ts'), Buffer.alloc(1_024))
  const list = join(dir, 'list')
  writeFileSync(list, `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${key}\n#EXTINF:1,\npart.ts\n#EXT-X-ENDLIST\n`)
  const args = cases[name]?.(list, join(dir, 'made.mp4')) ?? []
  // As if ffmpeg took it for a list.
  const at = args.indexOf('-i')
  const input = args.slice(0, at).filter((arg, i, all) => arg !== '-f' && all[i - 1] !== '-f')
  const free = input.filter((arg, i, all) => arg !== '-format_whitelist' && all[i - 1] !== '-format_whitelist')
  const said = spawnSync('ffmpeg', ['-nostdin', ...free, '-f', 'hls', ...args.slice(at)], { encoding: 'latin1' }).stderr
  expect(said).toMatch(/Protocol 'crypto' not on whitelist 'file,pipe'/)
})

test('a small file that claims to be long gets no days of a processor', () => {
  const hours = (count: number) => count * 3_600_000
  expect(limitsOf(hours(12), 1_000_000).seconds).toBe(600 + 1_600)
  expect(limitsOf(0, 1_000).seconds).toBe(600)
  // At 60 kbit/s, 12 hours of a still picture.
  expect(limitsOf(hours(12), 324_000_000).seconds).toBe(600 + 12 * 3_600 * 8)
  expect(limitsOf(0, 5e9)).toEqual({ seconds: 600 + 6 * 3_600 * 8, wallMs: (1_800 + 6 * 3_600 * 10) * 1_000 })
})
