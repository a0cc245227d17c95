// `npm run hour`: one broadcast of the built product with everything at once, of a seed and a length. Real programs record what
// platforms receive, and Home is compared each second with what happened.
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { choicesOf } from '#scripts/cluster/random.ts'
import { poll } from '#scripts/house/poll.ts'
import { say } from '#scripts/house/step.ts'
import { addChannels, type ChannelName, channelNames, type Channels } from './channels.ts'
import { makePicture } from './pictures.ts'
import { type Product, startProduct } from './product.ts'
import { type CheckOptions, checkRecording } from './recordings.ts'
import { Scene } from './scene.ts'
import { asides, runRound } from './steps.ts'
import { makeStreams } from './streams.ts'
import { type Expected, Truth } from './truth.ts'
import { watchUsage } from './usage.ts'

const first: Expected = {
  status: 'active',
  fill: null,
  backup: null,
  channels: { whole: 'live', cut: 'live', portrait: 'live', late: 'live', small: 'live', studio: 'live' },
}
/** Longest time in which a platform may receive nothing, seconds. */
const stillMax = 5
/** A recording of the product is remuxed after the end, longest time in seconds. */
const remuxMax = 600

interface Run {
  readonly folder: string
  readonly seed: number
  readonly minutes: number
  readonly note: (text: string) => void
  readonly onWrong: (text: string) => void
  /** Registers what ends with the test, the last one first. */
  readonly onEnd: (end: () => Promise<void> | void) => void
}

/** Runs the test: `--seed 7`, `--minutes 60`. @returns the exit code */
export async function hourTest(args: readonly string[]): Promise<number> {
  const options = { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '60' } } as const
  const { values } = parseArgs({ args: [...args], options })
  const since = performance.now()
  const violations: string[] = []
  const note = (text: string) => say(`${((performance.now() - since) / 1000).toFixed(1).padStart(7)} s  ${text}`)
  const onWrong = (text: string) => {
    violations.push(text)
    note(`violation: ${text}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-hour-'))
  const ends: (() => Promise<void> | void)[] = []
  const onEnd = (end: () => Promise<void> | void) => void ends.unshift(end)
  try {
    const [seed, minutes] = [Number(values.seed), Number(values.minutes)]
    await runBroadcast({ folder, seed, minutes, note, onWrong, onEnd })
  } catch (error) {
    const { stack, cause } = error as Error
    onWrong(`the test itself: ${stack}${cause instanceof Error ? `, because of ${cause.message}` : ''}`)
  } finally {
    for (const end of ends) await end()
    if (violations.length === 0) rmSync(folder, { recursive: true, force: true })
  }
  if (violations.length === 0) say('No invariant was violated')
  else say(`${violations.length} violations with seed ${values.seed}. Recordings that are wrong: ${folder}`)
  return violations.length === 0 ? 0 : 1
}

async function runBroadcast(run: Run): Promise<void> {
  const { folder, seed, minutes, note, onWrong, onEnd } = run
  const product = await startProduct(onEnd)
  const { projectId, rtmp, srt } = product
  const streams = await makeStreams(folder)
  const channels = await addChannels(product, folder)
  onEnd(() => channels.close())
  const { key, pictures } = await setUp(product, folder)
  const usage = watchUsage(product)
  const still = watchStill(channels, onWrong)
  const said = new Set<string>()
  let ended = (): string[] => []
  const onSecond = () => {
    usage.take()
    still.take()
    for (const text of ended()) if (!said.has(text)) onWrong(text)
    for (const text of ended()) said.add(text)
  }
  const truth = new Truth(product, { ids: channels.ids, first, onWrong, note, onSecond })
  onEnd(() => truth.close())
  const ingest = { rtmp, srt, projectId, key }
  const scene = new Scene({ product, streams, ingest, channels, truth, choices: choicesOf(seed), pictures })
  onEnd(() => scene.close())
  scene.asides = asides
  ended = () => scene.ended()
  await scene.begin()
  const until = performance.now() + minutes * 60_000
  const isOver = () => performance.now() > until
  while (!isOver()) await runRound(scene, isOver)
  ended = () => []
  await truth.close()
  await product.api(broadcasts.stop, scene.broadcast)
  await scene.close()
  note(`measured: steps: ${JSON.stringify(scene.counts)}`)
  const ours = await ownRecordings(run, product)
  await product.end()
  await channels.end()
  await checkChannels(run, channels, { cut: 1 + scene.cuts, portrait: 1 + truth.returns })
  for (const file of ours) await checkFile(`ours ${file}`, join(product.folder, 'recordings', file), {}, run)
  for (const text of product.failures) onWrong(text)
  for (const line of product.errors()) onWrong(`logged: ${line}`)
  usage.check(onWrong, note)
  still.check(note)
  noteTruth(truth, note)
}

/** Pictures, hold time and recording of the project. */
async function setUp({ api, projectId: project_id }: Product, folder: string) {
  const pictures: number[] = []
  for (const color of ['red', 'blue', 'green']) {
    const file = await makePicture(folder, color)
    pictures.push((await api(mediaFiles.upload, { project_id, name: color, file })).media_id)
  }
  for (const type of ['lost', 'pause'] as const)
    await api(mediaFiles.set, { project_id, media_id: pictures[0] ?? 0, type })
  await api(streamKeys.setWait, { project_id, wait_minutes: 2, hold: true })
  await api(streamKeys.setRecord, { project_id, record: true })
  const { key } = await api(streamKeys.get, { project_id })
  return { key, pictures }
}

/** Waits for the end of the broadcast and for its recordings. @returns their files */
async function ownRecordings({ onWrong }: Run, { api, projectId: project_id }: Product): Promise<readonly string[]> {
  await poll('the end of the broadcast', async () => (await api(broadcasts.status, { project_id })).kind === 'inactive')
  const { total } = await api(broadcasts.list, { project_id, limit: 10, offset: 0, order: 'asc' })
  if (total !== 1) onWrong(`there were ${total} broadcasts`)
  const isDone = async () => {
    const all = []
    for (let offset = 0; ; offset += 100) {
      const { results } = await api(recordings.list, { project_id, limit: 100, offset })
      if (results.some(({ state }) => state === 'recording' || state === 'processing')) return false
      all.push(...results)
      if (results.length < 100) return all
    }
  }
  const all = await poll('the recordings', isDone, remuxMax)
  if (all.length === 0) onWrong('there are no recordings of ours')
  for (const { file, state, reason } of all)
    if (state !== 'ready') onWrong(`our recording ${file} is ${state}: ${reason}`)
  return all.flatMap(({ state, file }) => (state === 'ready' ? [file] : []))
}

/** Compares publications, and checks what each of them received. */
async function checkChannels(
  run: Run,
  channels: Channels,
  counts: Partial<Record<ChannelName, number>>,
): Promise<void> {
  for (const name of channelNames) {
    const files = channels.recordings(name)
    const wanted = counts[name] ?? 1
    run.note(`measured: ${name}: ${files.length} publications`)
    if (files.length !== wanted) {
      run.onWrong(`${name} was published ${files.length} times, not ${wanted}`)
      for (const file of files) run.note(`${name}: written until ${statSync(file).mtime.toISOString()}: ${file}`)
    }
    const options = { alsoAs: name === 'whole' || name === 'portrait' ? ['ts', 'mp4'] : [], isCut: name === 'studio' }
    for (const [at, file] of files.entries()) await checkFile(`${name} ${at + 1}`, file, options, run)
  }
}

async function checkFile(name: string, file: string, options: CheckOptions, { note, onWrong, folder }: Run) {
  const { wrong, steps } = await checkRecording(file, options)
  for (const text of wrong) onWrong(`${name} ${text}`)
  // Platforms and the product remove their folders.
  if (wrong.length > 0) copyFileSync(file, join(folder, `${name.replaceAll(/\W+/g, '-')}${extname(file)}`))
  note(`measured: ${name}: ${steps.frames} frames, longest step ${steps.longestMs} ms at ${steps.longestAt} s`)
}

/** Watches that the platform of `whole` receives something. */
function watchStill(channels: Channels, onWrong: (text: string) => void) {
  let [size, since, longest] = [0, performance.now(), 0]
  return {
    take() {
      const [file] = channels.recordings('whole')
      const now = performance.now()
      const grown = file === undefined ? 0 : statSync(file).size
      if (grown > size || size === 0) since = now
      else if (now - since > stillMax * 1000) onWrong(`the platform received nothing for ${Math.round(now - since)} ms`)
      longest = Math.max(longest, now - since)
      size = grown
    },
    check: (note: (text: string) => void) =>
      note(`measured: longest time in which the platform wrote nothing: ${Math.round(longest)} ms`),
  }
}

function noteTruth(truth: Truth, note: (text: string) => void): void {
  const { samples, downMs, unknownMs } = truth
  const delays = truth.delays.toSorted((a, b) => a - b)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const at = (share: number) => seconds(delays[Math.floor((delays.length - 1) * share)] ?? 0)
  note(`measured: ${samples} samples of Home, ${delays.length} changes`)
  note(`measured: a change is shown after ${at(0.5)} (p50), ${at(0.95)} (p95), ${at(1)} at most`)
  note(`measured: service away for ${seconds(downMs)} at most, Home wrong for ${seconds(unknownMs)} at most after it`)
}
