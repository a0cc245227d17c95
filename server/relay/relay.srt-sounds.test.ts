// Several sounds of one encoder over SRT, each to a channel of its own: the tones at nginx-rtmp.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openPrograms } from './programs/programs.ts'
import { expectDecodes } from './testing/containers.ts'
import { toneOf } from './testing/decode.ts'
import { encodeTo, folder, hasPrograms, platform } from './testing/programs.ts'
import { live, project, rig, targetOf, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const run = promisify(execFile)
const tones = [440, 880, 1320]

test.skipIf(!hasPrograms)('three sounds by SRT are tracks that channels choose by their number', async () => {
  const dir = folder()
  const nginx = await platform()
  const programs = openPrograms('ffmpeg')
  const made = await rig([], { graceMs: 60_000, transcoding: { programs, slots: slots(0) } })
  onTestFinished(async () => {
    await made.close()
    await nginx.stop()
    await programs.close()
    rmSync(dir, { recursive: true })
  })
  const { port } = await made.relay.listenSrt(0, '127.0.0.1')
  const file = join(dir, 'tones.ts')
  const sounds = tones.flatMap((tone) => ['-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=48000:duration=20`])
  const maps = ['-map', '0:v', ...tones.flatMap((_, at) => ['-map', `${at + 1}:a`])]
  const codecs = '-c:v libx264 -preset ultrafast -g 25 -bf 0 -pix_fmt yuv420p -c:a aac -f mpegts'.split(' ')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=20']
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sounds, ...maps, ...codecs, file])
  const address = `srt://127.0.0.1:${port}?streamid=good&latency=4000000`
  const encoder = encodeTo(address, ['-re', '-i', file, '-map', '0', '-c', 'copy', '-f', 'mpegts'])
  await until(() => made.events.some(({ type }) => type === 'source-began'))
  made.relay.update(project, {
    waitMs: 60_000,
    holdMs: 500,
    destinations: tones.map((tone, at) => ({
      id: at + 1,
      target: { ...targetOf(nginx), app: 'live', key: `tone${tone}` },
      ...(at > 0 && { tracks: { video: 'main', audio: at === 1 ? '1' : '2', missing: 'wait' } }),
    })),
  })
  await Promise.all(tones.map((_, at) => live(made, at + 1)))
  expect((await encoder.done()).code).toBe(0)
  await until(() => made.events.some(({ type }) => type === 'ended'))
  for (const tone of tones) {
    const recording = await nginx.recorded(`tone${tone}`)
    expect(Math.abs((await toneOf(recording)) - tone)).toBeLessThan(20)
    expect(nginx.recordings(`tone${tone}`)).toHaveLength(1)
  }
  expect(await expectDecodes(await nginx.recorded('tone1320'), dir)).toBeGreaterThan(50)
})
