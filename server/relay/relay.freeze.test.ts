// A killed encoder that returns after a while, with real programs: the platform's recording has no gap.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { decodeErrors, folder, hasPrograms, platform, probe, publish, sample } from './testing/programs.ts'
import { rig, until } from './testing/rig.ts'

test.skipIf(!hasPrograms)(
  'sends video and audio to a platform while the encoder is disconnected',

  async () => {
    const dir = folder()
    const source = await sample(dir, 3)
    const nginx = await platform()
    const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
    const made = await rig([target], { graceMs: 30_000 })
    const url = `rtmp://127.0.0.1:${made.port}/live/good`
    const first = publish(source, url)
    await until(() => made.samples.filter(({ ingest }) => ingest.fps > 0).length > 1)
    await first.stop('SIGKILL')
    await until(() => made.events.some(({ type }) => type === 'source-lost'))
    await wait(5_000)
    expect((await publish(source, url).done()).code).toBe(0)
    made.relay.stop(7)
    expect(made.report(1)?.reconnects).toBe(0)
    await made.close()
    const file = await nginx.recorded('one')
    expect(nginx.recordings('one')).toHaveLength(1)
    expect(await decodeErrors(file)).toBe('')
    const packets = await probe(file)
    for (const type of ['video', 'audio']) {
      const times = packets.filter(({ codec_type }) => codec_type === type).map(({ dts_time }) => dts_time)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      // One second until it begins, plus the delay of a busy machine; without it, more than five.
      expect(Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toBeLessThan(4)
    }
    await nginx.stop()
    rmSync(dir, { recursive: true })
  },
)
