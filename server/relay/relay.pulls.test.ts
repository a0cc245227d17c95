// Players that fetch a stream by RTMP: ffmpeg, and a hand-made player.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { folder, hasPrograms, probe, publish, sample } from './testing/programs.ts'
import { live, onAir, project, setUp, targetOf, until } from './testing/rig.ts'

const run = promisify(execFile)
const dir = folder()
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const pullKey = 3
const admitPlayer = async ({ key }: { readonly key: string }) =>
  key === 'pull-key' ? { projectId: project, keyId: pullKey } : { refuse: 'The pull key is not known' }

/** Plays to a file with ffmpeg. */
const play = (port: number, key: string, ...options: readonly string[]) => {
  const file = join(dir, `${key}.flv`)
  const url = `rtmp://127.0.0.1:${port}/pull/${key}`
  const args = ['-v', 'error', '-y', '-rw_timeout', '20000000', '-i', url, ...options, '-c', 'copy', '-f', 'flv', file]
  return run('ffmpeg', args, { timeout: 100_000 }).then(() => file)
}

test.skipIf(!hasPrograms)('starts a player at a keyframe, with headers and metadata', async () => {
  const [made] = await setUp(0, { admitPlayer })
  const encoder = publish(await sample(dir, 6), `rtmp://127.0.0.1:${made.port}/live/good`, ['-stream_loop', '-1'])
  await until(() => made.samples.length > 1)
  const playing = play(made.port, 'pull-key', '-t', '3')
  await until(() => made.samples.at(-1)?.pulls[0]?.kbps)
  expect(made.samples.at(-1)?.pulls).toMatchObject([{ id: pullKey, viewers: 1 }])
  const packets = await probe(await playing)
  await encoder.stop()
  expect(packets.find(({ codec_type }) => codec_type === 'video')?.key).toBe(true)
  expect(packets.filter(({ codec_type }) => codec_type === 'video').length).toBeGreaterThan(60)
  expect(packets.some(({ codec_type }) => codec_type === 'audio')).toBe(true)
  await until(() => made.samples.at(-1)?.pulls.length === 0)
})

test.skipIf(!hasPrograms)('refuses a wrong key, and a valid key of a project that is off air', async () => {
  const [made] = await setUp(0, { admitPlayer })
  await expect(play(made.port, 'wrong')).rejects.toThrow('The pull key is not known')
  await expect(play(made.port, 'pull-key')).rejects.toThrow('Nothing is on air')
})

test.skipIf(!hasPrograms)('disconnects only the players of a removed key', async () => {
  const [made, first] = await setUp(1, { admitPlayer })
  await onAir(made)
  await live(made, 1)
  // Requests more than the stream contains.
  const playing = play(made.port, 'pull-key').catch((error: unknown) => error)
  await until(() => made.samples.at(-1)?.pulls[0]?.viewers === 1)
  made.relay.update(project, { destinations: [{ id: 1, target: targetOf(first) }], pullKeys: [] })
  await playing
  await until(() => made.samples.at(-1)?.pulls.length === 0)
  expect(made.report(1)).toMatchObject({ state: 'live', reconnects: 0 })
})
