// Pictures of a project in the place of the encoder, with real programs: a killed encoder, and a pause.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Film } from './library/film.ts'
import { openPrograms } from './programs/programs.ts'
import { createSlateShelf } from './sources/slates.ts'
import { expectDecodes } from './testing/containers.ts'
import { colorsOf, longest, presented } from './testing/decode.ts'
import { folder, hasPrograms, platform, publish, sample } from './testing/programs.ts'
import { project, rig, until } from './testing/rig.ts'

const run = promisify(execFile)

/** Serves pictures as the service does, of one colour each. @returns a service URL, and the number of requests */
async function pictures(dir: string, ...colors: readonly string[]) {
  for (const color of colors) {
    const made = `-v error -y -f lavfi -i color=${color}:size=400x400 -frames:v 1 ${join(dir, color)}.png`
    await run('ffmpeg', made.split(' '))
  }
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    try {
      response.end(readFileSync(join(dir, url.replace('/relay/files/', ''))))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    service: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/relay`,
    asked,
    close: () => void server.close(),
  }
}

test.skipIf(!hasPrograms)(
  'a killed encoder and a pause show the pictures of the project, in one publication',
  async () => {
    const dir = folder()
    const source = await sample(dir, 3, ['-preset', 'medium', '-bf', '2', '-b_strategy', '0'])
    const served = await pictures(dir, 'red', 'blue')
    const nginx = await platform()
    const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
    const programs = openPrograms('ffmpeg')
    const slates = createSlateShelf({ service: served.service, programs })
    const made = await rig([target], { graceMs: 30_000, silentMs: 1_000, slates })
    const desired = { destinations: [{ id: 1, target }], slates: { lost: 'red.png', pause: 'blue.png' } }
    const url = `rtmp://127.0.0.1:${made.port}/live/good`
    const first = publish(source, url, ['-stream_loop', '-1'])
    await until(() => made.samples.filter(({ ingest }) => ingest.fps > 0).length > 1)
    made.relay.update(project, desired)
    await until(() => served.asked.length === 2)
    await wait(4_000)
    await first.stop('SIGKILL')
    await until(() => made.events.some(({ type }) => type === 'source-lost'))
    await wait(4_000)
    const second = publish(source, url, ['-stream_loop', '-1'])
    await until(() => made.events.filter(({ type }) => type === 'source-began').length === 2)
    await wait(2_000)
    made.relay.update(project, { ...desired, paused: true })
    await wait(4_000)
    made.relay.update(project, desired)
    await wait(3_000)
    made.relay.stop(project)
    await second.stop()
    expect(made.report(1)?.reconnects).toBe(0)
    await made.close()
    await programs.close()
    served.close()
    const flv = await nginx.recorded('one')
    expect(nginx.recordings('one')).toHaveLength(1)
    expect(await expectDecodes(flv, dir)).toBeGreaterThan(300)
    // 1.0 s until the loss counts, and 0.5 s for a busy machine.
    const times = (await presented(flv)).toSorted((a, b) => a - b)
    expect(longest(times)).toBeLessThanOrEqual(1_500)
    const { red, blue } = await colorsOf(flv)
    for (const shown of [red, blue]) {
      expect(shown.length).toBeGreaterThan(60)
      expect((shown.at(-1) ?? 0) - (shown[0] ?? 0)).toBeGreaterThan(2)
      expect((shown.at(-1) ?? 0) - (shown[0] ?? 0)).toBeLessThan(8)
    }
    await nginx.stop()
    rmSync(dir, { recursive: true })
  },
)

test.skipIf(!hasPrograms)('no picture of a file that is none, of a strange size, or without ffmpeg', async () => {
  const dir = folder()
  const served = await pictures(dir, 'red')
  const programs = openPrograms('ffmpeg')
  const shelf = createSlateShelf({ service: served.service, programs })
  const none = createSlateShelf({ service: served.service, programs: openPrograms('') })
  const format = { width: 320, height: 180, frameRate: 60, sound: null }
  for (const file of ['sample-3.flv', '../../etc/passwd', 'none.png']) shelf.get(file, format)
  for (const size of [0, 1, 5_000, Number.NaN]) expect(shelf.get('red.png', { ...format, width: size })).toBeNull()
  none.get('red.png', format)
  const loop = await until(() => shelf.get('red.png', format))
  if (loop instanceof Film) expect.unreachable()
  expect(loop.frames).toHaveLength(60)
  expect(loop.frameMs).toBeCloseTo(1000 / 30)
  for (const file of ['sample-3.flv', '../../etc/passwd', 'none.png']) expect(shelf.get(file, format)).toBeNull()
  await until(() => served.asked.length >= 4)
  expect(none.get('red.png', format)).toBeNull()
  await programs.close()
  served.close()
  rmSync(dir, { recursive: true })
})
