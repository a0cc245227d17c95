// An encoder that returns with other settings, with real programs: the recording of a platform also decodes in other containers.
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectDecodes } from './testing/containers.ts'
import { presented } from './testing/decode.ts'
import { folder, hasPrograms, platform, publish, sample } from './testing/programs.ts'
import { rig, until } from './testing/rig.ts'

const withoutB = ['-preset', 'ultrafast', '-bf', '0']
const withB = ['-preset', 'medium', '-bf', '2', '-b_strategy', '0']

test.skipIf(!hasPrograms).each([
  ['without B-frames, then with them', withoutB, withB],
  ['with B-frames, then without them', withB, withoutB],
])('a recording decodes as FLV, MPEG-TS, MP4 and HLS: %s', async (_, first, second) => {
  const dir = folder()
  const nginx = await platform()
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
  const made = await rig([target], { graceMs: 30_000 })
  const url = `rtmp://127.0.0.1:${made.port}/live/good`
  for (const [seconds, options] of [first, second].entries()) {
    const file = await sample(dir, seconds + 4, options)
    const sends = publish(file, url)
    expect(await sends.done()).toEqual({ code: 0, said: '' })
  }
  await until(() => made.events.filter(({ type }) => type === 'source-lost').length === 2)
  made.relay.stop(7)
  await made.close()
  const flv = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  expect(await expectDecodes(flv, dir)).toBeGreaterThan(200)
  // No two frames at one time, and none between those of the other encoder.
  const times = (await presented(flv)).toSorted((a, b) => a - b)
  expect(Math.min(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeGreaterThanOrEqual(20)
  await nginx.stop()
  rmSync(dir, { recursive: true })
})
