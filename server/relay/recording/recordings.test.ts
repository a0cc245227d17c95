import type { Message } from '#server/relay/rtmp/message.ts'
import type { RecordingReport } from '#contract/relay/reports.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Live } from '#server/relay/live.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import { Hub } from '#server/relay/media/hub.ts'
import { openPrograms, type Programs } from '#server/relay/programs/programs.ts'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { decodeErrors, folder, hasPrograms, probe, sample } from '#server/relay/testing/programs.ts'
import { until } from '#server/relay/testing/rig.ts'
import { Recordings, type RecordingsOptions } from './recordings.ts'

const project = 7
const desired = { bytesMax: 1e9 }
let dir: string
let hub: Hub
let reports: RecordingReport[]
let programs: Programs
let recordings: Recordings
let source: Message[] = []
let sent = 0

beforeAll(async () => {
  const here = folder()
  if (hasPrograms) source = new FlvReader().read(readFileSync(await sample(here, 3)))
  sent = source.filter(({ type, payload }) => type === 9 && payload[1] === 1).length
  rmSync(here, { recursive: true })
})
beforeEach(() => {
  dir = folder()
  hub = new Hub()
  reports = []
})
afterEach(async () => {
  await recordings.close()
  await programs.close()
  rmSync(dir, { recursive: true, force: true })
})

function keep(options: Partial<RecordingsOptions> = {}, ffmpeg = '') {
  programs = openPrograms(ffmpeg)
  recordings = new Recordings({ ...others(), ...options })
}
const others = () => ({
  folder: dir,
  programs,
  live: () => ({ hub }) as Live,
  report: (_: number, facts: RecordingReport) => void reports.push(facts),
  limits: { splitBytes: 1e9, splitMs: 1e9, freeBytes: 0 },
})
const states = () => reports.map(({ state }) => state)
const files = () => (existsSync(join(dir, '7')) ? readdirSync(join(dir, '7')).toSorted() : [])
const videos = async (file: string) => (await probe(file)).filter(({ codec_type }) => codec_type === 'video').length
const begun = () => until(() => states().includes('recording'))

async function push(messages: Iterable<Message>) {
  hub.push([...messages], Date.now())
}

test('without ffmpeg, writes FLV that starts at 0 with a keyframe', async () => {
  keep()
  await push([avcHeader(), aacHeader(), ...stream(5000, 1)])
  recordings.update(project, desired)
  await begun()
  await push(stream(6000, 2))
  recordings.end(project)
  await until(() => states().at(-1) === 'ready')
  expect(reports.at(-1)).toMatchObject({ file: `${reports[0]?.name}.flv`, durationMs: 2980, reason: null })
  const [file = ''] = files()
  const read = new FlvReader().read(readFileSync(join(dir, '7', file)))
  expect(read.map(({ timestamp }) => timestamp).slice(0, 5)).toEqual([0, 0, 0, 20, 40])
  expect(read).toHaveLength(2 + 150)
})

test('ends a file at a keyframe when it is long enough, or when another stream begins', async () => {
  keep({ limits: { splitBytes: 1e9, splitMs: 1900, freeBytes: 0 } })
  await push([avcHeader(), aacHeader(), ...stream(0, 1)])
  recordings.update(project, desired)
  await begun()
  await push(stream(1000, 4))
  await until(() => states().filter((state) => state === 'recording').length === 3)
  await push([avcHeader(5000, 9), ...stream(5000, 1)])
  recordings.end(project)
  await until(() => states().filter((state) => state === 'ready').length === 4)
  const lengths = files().map((file) => new FlvReader().read(readFileSync(join(dir, '7', file))).length - 2)
  expect(lengths).toEqual([100, 100, 50, 50])
})

test('a stream that changes all the time fills no folder, and is recorded again later', async () => {
  keep()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const change = async (profile: number) => push([avcHeader(0, profile), aacHeader(), ...stream(0, 1)])
  await change(0)
  recordings.update(project, desired)
  await begun()
  const count = () => new Set(reports.map(({ name }) => name)).size
  for (let profile = 1; profile < 200; profile++) await change(profile)
  expect(count()).toBe(30)
  vi.advanceTimersByTime(61_000)
  await change(201)
  await until(() => count() === 31)
})

test('stops writing on a full disk, and above the project’s storage', async () => {
  keep({ limits: { splitBytes: 1e9, splitMs: 1e9, freeBytes: 1e18 } })
  await push([avcHeader(), ...stream(0, 1)])
  recordings.update(project, desired)
  await until(() => states().includes('failed'))
  expect(reports).toMatchObject([{ reason: 'disk_full', bytes: 0 }])
  expect(files()).toEqual([])
  await recordings.close()
  keep()
  mkdirSync(join(dir, '7'), { recursive: true })
  writeFileSync(join(dir, '7', 'old.mp4'), 'x'.repeat(100))
  recordings.update(project, { bytesMax: 50 })
  await until(() => reports.length === 2)
  expect(reports[1]).toMatchObject({ state: 'failed', reason: 'limit' })
})

test('continues in a new file when a full disk has space again, ever later and not for ever', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const limits = { splitBytes: 1e9, splitMs: 1e9, freeBytes: 0 }
  keep({ limits })
  await push([avcHeader(), aacHeader(), ...stream(0, 1)])
  recordings.update(project, desired)
  await begun()
  const count = (state: string, reason: string | null) =>
    reports.filter((one) => one.state === state && one.reason === reason).length
  const names = () => new Set(reports.map(({ name }) => name)).size
  // A look at the disk is over when a later one is.
  const look = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const full = async (times: number) => {
    limits.freeBytes = 1e18
    vi.advanceTimersByTime(5_000)
    await until(() => count('ready', 'disk_full') === times)
  }
  await full(1)
  // Time alone begins nothing on a full disk.
  await look(3_600_000)
  expect(names()).toBe(1)
  limits.freeBytes = 0
  vi.advanceTimersByTime(5_000)
  await until(() => names() === 2)
  expect(reports.at(-1)).toMatchObject({ state: 'recording', reason: null })
  await push(stream(1000, 1))
  // Again: after a minute, not before.
  await full(2)
  limits.freeBytes = 0
  await look(50_000)
  expect(names()).toBe(2)
  await look(10_000)
  await until(() => names() === 3)
  for (let times = 3; times < 20; times++) {
    await push(stream(1000 * times, 1))
    await full(times)
    limits.freeBytes = 0
    vi.advanceTimersByTime(605_000)
    await until(() => names() === times + 1)
  }
  await push(stream(30_000, 1))
  await full(20)
  limits.freeBytes = 0
  await look(3_600_000)
  expect(names()).toBe(20)
  // The next broadcast is recorded.
  recordings.end(project)
  recordings.update(project, desired)
  await until(() => names() === 21)
})

test.skipIf(!hasPrograms)('remuxes to MP4 with every frame', async () => {
  keep({}, 'ffmpeg')
  await push(source.slice(0, 20))
  recordings.update(project, desired)
  await begun()
  await push(source.slice(20))
  recordings.update(project, undefined)
  await until(() => states().at(-1) === 'ready')
  expect(states()).toEqual(['recording', 'processing', 'ready'])
  expect(files()).toEqual([expect.stringMatching(/\.mp4$/)])
  const made = join(dir, reports.at(-1)?.file ?? '')
  expect(await videos(made)).toBe(sent)
  expect(await decodeErrors(made)).toBe('')
  expect(reports.at(-1)?.durationMs).toBeGreaterThan(2900)
})

/** Starts a process that records the sample into `store` of `dir`: frames 20 to 200, then those after it for each line of its input. */
function startProcess() {
  const program = join(dir, 'node.ts')
  const url = (path: string) => new URL(path, import.meta.url).href
  const input = join(dir, 'input.json')
  writeFileSync(input, JSON.stringify(source.map((one) => ({ ...one, payload: one.payload.toString('base64') }))))
  const store = join(dir, 'store')
  writeFileSync(
    program,
    `import { readFileSync } from 'node:fs'
import { Hub } from '${url('../media/hub.ts')}'
import { Recordings } from '${url('recordings.ts')}'
import { openPrograms } from '${url('../programs/programs.ts')}'
const hub = new Hub()
const messages = JSON.parse(readFileSync('${input}', 'utf8')).map((one) => ({ ...one, payload: Buffer.from(one.payload, 'base64') }))
const recordings = new Recordings({ folder: '${store}', programs: openPrograms(''), live: () => ({ hub }),
  limits: { splitBytes: 1e9, splitMs: 1e9, freeBytes: 0 },
  report: () => begin() })
let begin = () => { begin = () => {}; setTimeout(() => hub.push(messages.slice(20, 200), 0)) }
hub.push(messages.slice(0, 20), 0)
recordings.update(7, { bytesMax: 1e9 })
process.stdin.once('data', () => hub.push(messages.slice(200), 0))`,
  )
  const node = spawn(process.execPath, [program], { cwd: process.cwd(), stdio: ['pipe', 'ignore', 'inherit'] })
  return { node, store }
}

/** Files that processes record or remux for the project. */
const openIn = (store: string) =>
  globSync(join(store, '.open', '*', String(project), '*')).filter((file) => !basename(file).startsWith('lock'))

const isFrame = ({ type, payload }: Message) => type === 9 && payload[1] === 1

/** Waits until a file contains the last frame of some messages. */
const holds = async (file: string, messages: readonly Message[]) => {
  const last = messages.findLast(isFrame)
  await until(() => last && readFileSync(file).includes(last.payload))
}

async function kill(node: ChildProcess) {
  const gone = once(node, 'exit')
  node.kill('SIGKILL')
  await gone
}

test.skipIf(!hasPrograms)('a killed node leaves a file that decodes, and the next node remuxes it', async () => {
  const { node, store } = startProcess()
  const left = await until(() => openIn(store)[0])
  expect(left).toMatch(/\.flv$/)
  const first = source.slice(0, 200)
  const frames = first.filter(isFrame).length
  await holds(left, first)
  await kill(node)
  expect(await videos(left)).toBe(frames)
  expect(await decodeErrors(left)).toBe('')
  // State after a power cut during a write.
  writeFileSync(left, readFileSync(left).subarray(0, -3))
  keep({ folder: store }, 'ffmpeg')
  await until(() => states().at(-1) === 'ready')
  const made = join(store, reports.at(-1)?.file ?? '')
  expect(made).toMatch(/\.mp4$/)
  expect(await videos(made)).toBeGreaterThanOrEqual(frames - 1)
  expect(await decodeErrors(made)).toBe('')
  expect(readdirSync(join(store, '7'))).toHaveLength(1)
  expect(openIn(store)).toEqual([])
})

test.skipIf(!hasPrograms)(
  'leaves the files of another running process alone, and finishes them after its end',
  async () => {
    const { node, store } = startProcess()
    const left = await until(() => openIn(store)[0])
    await holds(left, source.slice(0, 200))
    // A second process of the machine starts, searches many times, and is asked to delete the recording.
    keep({ folder: store, adoptMs: 20 }, 'ffmpeg')
    recordings.forget([`7/${basename(left, '.flv')}`])
    await until(() => reports.length > 0)
    const again = new Recordings({ ...others(), folder: store })
    await again.close()
    expect(states()).toEqual(['gone'])
    node.stdin.write('\n')
    await holds(left, source)
    expect(await videos(left)).toBe(sent)
    expect(await decodeErrors(left)).toBe('')
    await recordings.close()
    await programs.close()

    keep({ folder: store, adoptMs: 20 }, 'ffmpeg')
    await kill(node)
    await until(() => states().at(-1) === 'ready')
    const made = join(store, reports.at(-1)?.file ?? '')
    expect(made).toMatch(/\.mp4$/)
    expect(await videos(made)).toBe(sent)
    expect(await decodeErrors(made)).toBe('')
    expect([readdirSync(join(store, '7')).length, openIn(store)]).toEqual([1, []])
  },
)

test('remuxes files that an earlier release left in the folder of the project', async () => {
  mkdirSync(join(dir, '7'))
  writeFileSync(join(dir, '7', '2026-01-02T03-04-05.678Z.flv'), 'FLV')
  writeFileSync(join(dir, '7', '2026-01-02T02-04-05.678Z.mp4.part'), '')
  keep()
  await until(() => states().at(-1) === 'ready')
  expect(reports.at(-1)).toMatchObject({ name: '7/2026-01-02T03-04-05.678Z', file: '7/2026-01-02T03-04-05.678Z.flv' })
  expect(files()).toEqual(['2026-01-02T03-04-05.678Z.flv'])
})
