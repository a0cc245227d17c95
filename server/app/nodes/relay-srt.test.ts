// SRT from encoder to player: publishes with a stream key, plays from the address on the page.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { history } from '#contract/areas/projects/history.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { pipe } from '#server/relay/testing/pipe.ts'
import { folder, hasPrograms, publishSrt, sample } from '#server/relay/testing/programs.ts'
import { upgrade } from '#server/testing/channels.ts'
import { eventually } from '#server/testing/eventually.ts'
import { testApp } from '#server/testing/test-app.ts'
import { nodeOf } from '#server/app/testing/relay-node.ts'

const run = promisify(execFile)

async function setUp(ffmpeg: string) {
  const world = await testApp()
  world.clock.set(new Date())
  const ann = await world.user()
  const line = await pipe(Number(new URL((await world.app.listen()).url).port))
  const node = await nodeOf(world, `http://127.0.0.1:${line.port}`, { ffmpeg, srtPort: 0 })
  onTestFinished(async () => {
    await node.close()
    await line.close()
    await world.close()
  })
  const inProject = { project_id: ann.projectId }
  const server = () =>
    eventually(async () => {
      const { body } = await world.api(rtmpServers.list, { ...inProject, interval: 1 }, { as: ann })
      return body.results[0]
    })
  return { world, ann, line, node, inProject, server }
}

test.skipIf(!hasPrograms)('publishes with the stream key and plays with a pull key', async () => {
  const dir = folder()
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const { world, ann, line, node, inProject, server } = await setUp('ffmpeg')
  await upgrade(world, ann, 2)
  await world.api(streamKeys.setWait, { ...inProject, wait_minutes: 1 }, { as: ann })
  await world.api(pullKeys.create, { ...inProject, transport: 'srt' }, { as: ann })
  const { urls } = await server()
  const { key } = (await world.api(streamKeys.get, inProject, { as: ann })).body
  expect(urls.srt).toEqual({
    value: `srt://127.0.0.1:${node.srtPort}`,
    mask: `srt://127.0.0.1:${node.srtPort}?streamid={{key}}`,
  })
  const pulled = async () => (await world.api(pullKeys.list, inProject, { as: ann })).body.results[0]
  const { shareUrl = '', uuid = '', id = 0 } = (await pulled()) ?? {}
  expect(shareUrl).toBe(`srt://127.0.0.1:${node.srtPort}?streamid=pull/${id}&passphrase=${uuid}`)

  const play = (from = shareUrl) =>
    run('ffprobe', ['-v', 'error', '-analyzeduration', '1M', '-show_entries', 'stream=codec_name', from], {
      timeout: 100_000,
    })
  // The project is off air.
  await expect(play()).rejects.toThrow('ffprobe')

  // The key is the passphrase and is never transmitted.
  const secret = (passphrase: string, bits: number) =>
    `${urls.srt?.value}?streamid=project/${ann.projectId}&passphrase=${passphrase}&pbkeylen=${bits / 8}`
  const source = await sample(dir, 3)
  const wrong = publishSrt(source, secret('not-the-key-of-the-project', 128))
  expect((await wrong.done()).code).not.toBe(0)
  const refused = { ...inProject, limit: 10, offset: 0, action: 'encoder_refused' } as const
  const trace = async () => (await world.api(history.list, refused, { as: ann })).body.results[0]
  expect((await eventually(trace))?.details).toEqual({ network: '127.0.0.0/24', reason: 'wrong_passphrase' })
  const encoder = publishSrt(source, secret(key, 256), ['-stream_loop', '-1'])
  onTestFinished(() => encoder.stop())
  const status = async () => (await world.api(broadcasts.status, inProject, { as: ann })).body
  await eventually(async () => (await status()).kind === 'live')
  const { stdout } = await play()
  expect(stdout).toContain('codec_name=h264')
  expect(stdout).toContain('codec_name=aac')
  expect(await status()).toMatchObject({ encoder: expect.stringMatching(/^SRT \d/) })
  const { stdout: open } = await play(`${urls.srt?.value}?streamid=pull/${uuid}`)
  expect(open).toContain('codec_name=h264')
  // A number without passphrase is refused.
  await expect(play(`${urls.srt?.value}?streamid=pull/${id}`)).rejects.toThrow('ffprobe')
  // RTMP refuses the key.
  const rtmp = `rtmp://127.0.0.1:${node.port}/pull/${uuid}`
  await expect(run('ffprobe', ['-v', 'error', rtmp], { timeout: 100_000 })).rejects.toThrow('ffprobe')

  // Without the service, an admitted encoder can reconnect, and a number with another passphrase is refused.
  line.cut(true)
  await encoder.stop()
  expect((await publishSrt(source, secret('not-the-key-of-the-project', 128)).done()).code).not.toBe(0)
  const again = publishSrt(source, secret(key, 128), ['-stream_loop', '-1'])
  onTestFinished(() => again.stop())
  // A refused encoder would have exited by now.
  await wait(1_500)
  expect(again.child.exitCode).toBe(null)
  line.cut(false)
  await eventually(async () => {
    const now = await status()
    return now.kind === 'live' && now.status === 'active' && now.reconnects === 1
  })
  const logged = world.logged.join('')
  expect([logged.includes(key), logged.includes(uuid)]).toEqual([false, false])
})

test('reports no SRT address without ffmpeg, and logs cause and remedy once', async () => {
  const { server, world } = await setUp('')
  expect(Object.keys((await server()).urls)).toEqual(['rtmp'])
  const warnings = world.logged
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
    .filter((msg) => /ffmpeg/.test(msg))
  expect(warnings).toEqual([
    expect.stringMatching(/^Server \S.* has no ffmpeg\. .*Install ffmpeg on it, or set FFMPEG/),
  ])
})
