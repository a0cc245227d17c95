// Encoders other than ffmpeg: each is killed on air, returns, and the platform has one recording that decodes everywhere.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openPrograms } from './programs/programs.ts'
import { expectDecodes } from './testing/containers.ts'
import { longest, presented } from './testing/decode.ts'
import { hasGstreamer, hasObs, publishByGstreamer, publishByObs } from './testing/other-encoders.ts'
import { folder, hasPrograms, platform } from './testing/programs.ts'
import { project, rig, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const isHere = { GStreamer: hasGstreamer, OBS: hasObs } as const

test.for([
  ['GStreamer', 'rtmp'],
  ['GStreamer', 'srt'],
  ['OBS', 'rtmp'],
  ['OBS', 'srt'],
] as const)('%s by %s is killed and returns: one publication', { timeout: 180_000 }, async ([name, way], { skip }) => {
  skip(!hasPrograms || !isHere[name], `${name} is not installed`)
  const dir = folder()
  const nginx = await platform()
  const programs = openPrograms('ffmpeg')
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
  const transcoding = { programs, slots: slots(0) }
  const made = await rig([target], { graceMs: 60_000, silentMs: 1_000, transcoding })
  const { port: srt } = await made.relay.listenSrt(0, '127.0.0.1')
  onTestFinished(async () => {
    await made.close()
    await programs.close()
    await nginx.stop()
    rmSync(dir, { recursive: true })
  })
  // OBS has the key in a field of its own; by SRT it is part of the address.
  const [server, key] =
    way === 'srt' ? [`srt://127.0.0.1:${srt}?streamid=good`, ''] : [`rtmp://127.0.0.1:${made.port}/live`, 'good']
  const publish = async () => {
    const encoder =
      name === 'OBS'
        ? await publishByObs(dir, server, key)
        : publishByGstreamer(way === 'srt' ? server : `${server}/${key}`)
    onTestFinished(() => encoder.kill())
    return encoder
  }
  const count = (type: 'source-began' | 'source-lost') => made.events.filter((event) => event.type === type).length
  const first = await publish()
  await until(() => made.report(1)?.state === 'live')
  await wait(5_000)
  await first.kill()
  await until(() => count('source-lost') === 1)
  await wait(3_000)
  const second = await publish()
  await until(() => count('source-began') === 2)
  await wait(5_000)
  made.relay.stop(project)
  await second.kill()
  expect(made.report(1)?.reconnects).toBe(0)
  const flv = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  expect(await expectDecodes(flv, dir)).toBeGreaterThan(200)
  const times = (await presented(flv)).toSorted((a, b) => a - b)
  // 1.0 s until the loss counts, and 0.5 s for a busy machine.
  expect(longest(times)).toBeLessThanOrEqual(1_500)
  const { encoder } = made.samples.at(-1)?.ingest ?? {}
  if (name === 'OBS' && way === 'rtmp') expect(encoder).toContain('obs')
})
