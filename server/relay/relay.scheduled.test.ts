// Scheduled files on air: real programs, films of ffmpeg, and a process that is killed.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { DesiredPlay } from '#contract/entities/play.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import { createPlays } from './library/plays.ts'
import { expectDecodes } from './testing/containers.ts'
import { colorsOf, longest, presented } from './testing/decode.ts'
import { filmStage } from './testing/film-stage.ts'
import { filesIn, makeMaster } from './testing/films.ts'
import { folder, hasPrograms, platform, publish } from './testing/programs.ts'
import { project, type Rig, until } from './testing/rig.ts'

const execute = promisify(execFile)
const run = 3
type Report = Extract<FromNode, { type: 'play' }>

/** A node with nginx-rtmp as its channel, and a folder of masters. */
async function stage(items: DesiredPlay['items']) {
  const { dir, nginx, films, made } = await filmStage()
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
  onTestFinished(() => plays.close())
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
      { file: 'red.mp4', ms: 1_000 },
      { file: 'test.mp4', ms: 920 },
      { file: 'short.mp4', ms: 800 },
    ]
    const { dir, nginx, made, plays, desired, reports, newest } = await stage(items)
    await makeMaster(join(dir, 'red.mp4'), { color: 'red', seconds: 1 })
    // Another size and rate: encoded in the form of the first file.
    await makeMaster(join(dir, 'test.mp4'), { size: '640x360', rate: 25, seconds: 0.92 })
    await makeMaster(join(dir, 'short.mp4'), { seconds: 0.8 })
    await makeMaster(join(dir, 'blue.mp4'), { color: 'blue', seconds: 30 })
    /** Waits until an item begins. ffprobe reads no HLS segment of one frame, so changes are inside of items. */
    const begins = (index: number) => {
      const count = reports.length
      return until(() => reports.slice(count).some(({ item }) => item === index))
    }
    const far = desired({ beginAt: Date.now() + 60_000 })
    plays.update([far])
    await until(() => newest()?.state === 'ready')
    // On a busy machine the other films are not ready at their times yet.
    const isFilm = (name: string) => name.endsWith('.film')
    await until(() => filesIn(join(dir, 'films')).filter(isFilm).length === items.length)
    expect(made.relay.projects()).toEqual([])
    const play = { ...far, beginAt: Date.now() + 1_500 }
    plays.update([play])
    await until(() => changes(made).length === 1)
    expect(Date.now() - play.beginAt).toBeLessThan(2_000)
    await until(() => made.report(1)?.state === 'live')
    // Five rounds.
    await until(() => reports.filter(({ item, state }) => state === 'live' && item === 0).length > 5)
    const encoder = publish(join(dir, 'blue.mp4'), `rtmp://127.0.0.1:${made.port}/live/good`)
    await until(() => changes(made).at(-1) === 'encoder')
    await wait(4_000)
    // The next keyframe of the play comes before the last frame of the encoder is repeated.
    await begins(0)
    await wait(300)
    await encoder.stop()
    await until(() => changes(made).at(-1) === 'play')
    await wait(4_000)
    await begins(1)
    await wait(400)
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
  await until(() => changes(made).at(-1) === 'ended')
  expect(changes(made)).toEqual(['play', 'source-lost', 'ended'])
  const flv = await nginx.recorded('one')
  expect(await expectDecodes(flv, dir)).toBe(30)
  const long = Date.now() - 120_000
  plays.update([desired({ run: 4, beginAt: long, items: items.filter(({ file }) => file !== 'red.mp4') })])
  await until(() => newest()?.words !== '')
  expect(newest()).toMatchObject({ run: 4, state: 'preparing' })
})

/** Brightness that a second adds to the picture below. */
const brightnessOfSecond = 5

/** Makes a file of 40 s whose brightness tells its time. */
async function makeClock(file: string) {
  const picture = `nullsrc=size=64x64:rate=30:duration=40,format=yuv420p,geq=lum='20+T*${brightnessOfSecond}':cb=128:cr=128`
  const input = [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    picture,
    '-f',
    'lavfi',
    '-i',
    'sine=sample_rate=48000:duration=40',
  ]
  const codecs =
    '-c:v libx264 -preset veryfast -qp 10 -g 60 -keyint_min 60 -sc_threshold 0 -pix_fmt yuv420p -c:a aac -ac 2'
  await execute('ffmpeg', [...input, ...codecs.split(' '), '-movflags', '+faststart', file])
}

/** Returns the seconds of the clock in the last picture of a recording. */
async function lastPlaceIn(file: string): Promise<number> {
  const filter = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const { stdout } = await execute('ffmpeg', ['-v', 'quiet', '-i', file, '-vf', filter, '-f', 'null', '-'])
  const [, last] = [...stdout.matchAll(/YAVG=([\d.]+)/g)].at(-1) ?? []
  return (Number(last) - 20) / brightnessOfSecond
}

/** A service that admits everything and has one play. */
async function service(dir: string, target: object, plays: readonly DesiredPlay[]) {
  const received: { readonly type: string; readonly state?: string }[] = []
  const server = createServer(({ url = '' }, response) => {
    const file = join(dir, basename(url))
    response.writeHead(200, { 'content-length': statSync(file).size })
    createReadStream(file).pipe(response)
  })
  new WebSocketServer({ server }).on('connection', (socket) => {
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString())
      received.push(message)
      if (message.type === 'hello') {
        received.length = 0
        send({ type: 'welcome', version: 3, leases: true })
        send({ type: 'plays', plays })
      }
      if (message.type === 'admit') {
        const { request } = message
        send({ type: 'admitted', request, projectId: project, epoch: 1, destinations: [{ id: 1, target }] })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}/relay`, received }
}

test.skipIf(!hasPrograms)('a node that is killed joins at its place of the clock', async () => {
  const dir = folder()
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const nginx = await platform()
  onTestFinished(() => nginx.stop())
  await makeClock(join(dir, 'clock.mp4'))
  const target = { protocol: 'rtmp', host: '127.0.0.1', port: nginx.port, app: 'live', key: 'one' }
  const beginAt = Date.now()
  const play = { projectId: project, run, key: 'key', beginAt, endAt: null, loop: true }
  const { url, received } = await service(dir, target, [{ ...play, items: [{ file: 'clock.mp4', ms: 40_000 }] }])
  const env = {
    PATH: process.env['PATH'],
    SERVICE_URL: url,
    RELAY_TOKEN: 'a token',
    RTMP_PORT: '0',
    SRT_PORT: 'off',
    RECORDINGS_DIR: '',
    FILMS_DIR: join(dir, 'films'),
    ALLOW_PRIVATE_DESTINATIONS: 'on',
  }
  /** Runs a node for some seconds on air, and kills it. @returns the moment of its end on the clock of the play, seconds */
  const runNode = async (recording: number) => {
    const node = spawn(process.execPath, ['server/relay/main.ts'], { env, stdio: 'ignore' })
    onTestFinished(() => void node.kill('SIGKILL'))
    const isRecorded = () =>
      (statSync(nginx.recordings('one')[recording] ?? '', { throwIfNoEntry: false })?.size ?? 0) > 0
    await until(() => received.some(({ type, state }) => type === 'play' && state === 'live') && isRecorded())
    await wait(4_000)
    node.kill('SIGKILL')
    const killedAt = Date.now()
    await once(node, 'exit')
    await wait(1_000)
    return ((killedAt - beginAt) / 1000) % 40
  }
  for (const recording of [0, 1]) {
    const place = await runNode(recording)
    const shown = await lastPlaceIn(nginx.recordings('one')[recording] ?? '')
    expect(Math.abs(shown - place)).toBeLessThan(2)
  }
})
