// Scheduled files on air: real programs, films of ffmpeg, and a process that is killed.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { DesiredPlay } from '#contract/entities/play.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import { createFilmShelf } from './library/films.ts'
import { createPlays } from './library/plays.ts'
import { openPrograms } from './programs/programs.ts'
import { colorsOf, expectDecodes, longest, presented } from './testing/containers.ts'
import { makeMaster, mediaService } from './testing/films.ts'
import { folder, hasPrograms, platform, publish } from './testing/programs.ts'
import { project, type Rig, rig, until } from './testing/rig.ts'

const run = 3
type Report = Extract<FromNode, { type: 'play' }>

/** A node with nginx-rtmp as its channel, and a folder of masters. */
async function stage(items: DesiredPlay['items']) {
  const dir = folder()
  const nginx = await platform()
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' } as const
  const made = await rig([target], { graceMs: 30_000, silentMs: 1_000 })
  const served = await mediaService(dir)
  const programs = openPrograms('ffmpeg')
  const films = createFilmShelf({ folder: join(dir, 'films'), service: served.service, programs })
  const reports: Report[] = []
  const send = (message: FromNode) => void (message.type === 'play' && reports.push(message))
  const plays = createPlays({ films, admit: made.relay.admit, send })
  const desired = (more: Partial<DesiredPlay> = {}): DesiredPlay => ({
    projectId: project,
    run,
    key: 'good',
    beginAt: Date.now(),
    endAt: null,
    loop: true,
    items,
    ...more,
  })
  onTestFinished(async () => {
    plays.close()
    await made.close()
    await films.close()
    await programs.close()
    served.close()
    await nginx.stop()
    rmSync(dir, { recursive: true })
  })
  return { dir, nginx, made, plays, reports, desired, newest: () => reports.at(-1) }
}

const changes = (made: Rig) =>
  made.events.flatMap((event) => {
    if (event.type === 'source-began') return [event.play === run ? 'play' : 'encoder']
    return event.type === 'source-lost' || event.type === 'ended' ? [event.type] : []
  })

/** Steps between presented frames, milliseconds. */
const stepsOf = (at: readonly number[]) => at.slice(1).map((time, index) => time - (at[index] ?? 0))

test.skipIf(!hasPrograms)(
  'a loop begins at its time, live breaks in and the loop returns, in one publication without a step',
  async () => {
    const items = [
      { file: 'red.mp4', ms: 2_000 },
      { file: 'test.mp4', ms: 1_520 },
      { file: 'short.mp4', ms: 1_000 },
    ]
    const { dir, nginx, made, plays, desired, reports, newest } = await stage(items)
    await makeMaster(join(dir, 'red.mp4'), { color: 'red', seconds: 2 })
    // Another size and rate: encoded in the form of the first file.
    await makeMaster(join(dir, 'test.mp4'), { size: '640x360', rate: 25, seconds: 1.5 })
    await makeMaster(join(dir, 'short.mp4'), { seconds: 1 })
    await makeMaster(join(dir, 'blue.mp4'), { color: 'blue', seconds: 30 })
    const far = desired({ beginAt: Date.now() + 60_000 })
    plays.update([far])
    await until(() => newest()?.state === 'ready')
    expect(made.relay.projects()).toEqual([])
    const play = { ...far, beginAt: Date.now() + 1_500 }
    plays.update([play])
    await until(() => changes(made).length === 1)
    expect(Date.now() - play.beginAt).toBeLessThan(2_000)
    await until(() => made.report(1)?.state === 'live')
    // Three rounds.
    await until(() => reports.filter(({ item, state }) => state === 'live' && item === 0).length > 3)
    const encoder = publish(join(dir, 'blue.mp4'), `rtmp://127.0.0.1:${made.port}/live/good`)
    await until(() => changes(made).at(-1) === 'encoder')
    await wait(4_000)
    await encoder.stop()
    await until(() => changes(made).at(-1) === 'play')
    await wait(6_000)
    plays.update([])
    await until(() => changes(made).at(-1) === 'ended')
    expect(changes(made)).toEqual(['play', 'encoder', 'source-lost', 'play', 'source-lost', 'ended'])
    expect(made.report(1)?.reconnects).toBe(0)
    const flv = await nginx.recorded('one')
    expect(nginx.recordings('one')).toHaveLength(1)
    expect(await expectDecodes(flv, dir)).toBeGreaterThan(500)
    const at = (await presented(flv)).toSorted((a, b) => a - b)
    expect(Math.min(...stepsOf(at))).toBeGreaterThan(0)
    expect(longest(at)).toBeLessThanOrEqual(2_500)
    // Joints of the rounds before the encoder.
    const { blue } = await colorsOf(flv)
    const before = at.filter((time) => time < (blue[0] ?? 0) * 1000 - 200)
    expect(before.length).toBeGreaterThan(300)
    expect(longest(before)).toBeLessThanOrEqual(34)
  },
)

test.skipIf(!hasPrograms)('a broken item is skipped with its reason, and a list of broken items fails', async () => {
  const items = [
    { file: 'broken.mp4', ms: 2_000 },
    { file: 'red.mp4', ms: 1_000 },
    { file: 'gone.mp4', ms: 1_000 },
  ]
  const { dir, nginx, made, plays, desired, reports, newest } = await stage(items)
  writeFileSync(join(dir, 'broken.mp4'), '#EXTM3U\nfile:///etc/passwd\n')
  await makeMaster(join(dir, 'red.mp4'), { color: 'red', seconds: 1 })
  const far = desired({ loop: false, beginAt: Date.now() + 60_000 })
  plays.update([far])
  await until(() => newest()?.state === 'ready')
  plays.update([{ ...far, beginAt: Date.now() }])
  await until(() => newest()?.state === 'ended')
  expect(reports.filter(({ state, words }) => state === 'live' && words !== '')).toMatchObject([
    { item: 0, words: 'The file is no H.264 with AAC' },
    { item: 2, words: 'The service answered 404' },
  ])
  expect(changes(made)).toEqual(['play', 'source-lost', 'ended'])
  const flv = await nginx.recorded('one')
  expect(await expectDecodes(flv, dir)).toBe(30)
  const long = Date.now() - 120_000
  plays.update([desired({ run: 4, beginAt: long, items: items.filter(({ file }) => file !== 'red.mp4') })])
  await until(() => newest()?.words !== '')
  expect(newest()).toMatchObject({ run: 4, state: 'preparing' })
})
