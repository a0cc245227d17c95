// A remote source whose server is hostile.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openPrograms } from '#server/relay/programs/programs.ts'
import { hasPrograms } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { plainWords, RemoteSource } from './source.ts'

/** Bytes of a list that take far more memory than a program may have, and less than this machine has. */
const listBytes = 100_000_000

test.each([
  [
    "[concat @ 0x55fc99b18cc0] Impossible to open 'http://198.51.100.7/…' pipe:0: Server returned 403 Forbidden (access denied)",
    'Server returned 403 Forbidden (access denied)',
  ],
  ["[concat @ 0x5578] Impossible to open 'rtmp://198.51.100.7/…'", "Impossible to open 'rtmp://198.51.100.7/…'"],
  ['Conversion failed!', 'Conversion failed!'],
])('leaves the internals of ffmpeg out of the reason: %s', (said, words) => {
  expect(plainWords(said)).toBe(words)
})

test.skipIf(!hasPrograms)('a list that does not end costs the memory of one program, and no more', async () => {
  const piece = Buffer.from(
    Array.from({ length: 2_000 }, (_, at) => `#EXT-X-STREAM-INF:BANDWIDTH=1\nv${at}.m3u8\n`).join(''),
  )
  let sent = 0
  const server = createServer((_, response) => {
    response.on('error', () => undefined)
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).write('#EXTM3U\n')
    const more = () => {
      while (sent < listBytes && !response.destroyed) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const programs = openPrograms('ffmpeg')
  const told: string[] = []
  const source = new RemoteSource(
    { projectId: 7, key: 'key', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.m3u8` },
    {
      allowPrivateDestinations: true,
      programs,
      admit: async () => ({ refuse: 'Nothing is sent' }),
      onState: (state, words) => void told.push(`${state} ${words}`),
    },
  )
  onTestFinished(async () => {
    source.stop()
    await programs.close()
    server.closeAllConnections()
    server.close()
  })
  await until(() => told.some((one) => one.startsWith('failed')))
  expect(told.find((one) => one.startsWith('failed'))).toContain('Cannot allocate memory')
})
