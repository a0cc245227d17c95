// `npm run bench:relay`: cost of the relay for 1, 50 and 100 destinations, beside nginx-rtmp with push and one ffmpeg
// per destination, with the same stream and destinations in the same run; then of a second mix, beside one of the same encoder.
// `-- short`: 1 and 50 destinations, one round. `-- mixes`: only the mixes.
import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { median, megabytes, type Row, table } from '#scripts/bench/table.ts'
import { ensureMedia } from '#scripts/house/media.ts'
import { endOnSignals, say } from '#scripts/house/step.ts'
import {
  type Engine,
  ffmpegEach,
  nginxPush,
  relaydeck,
  relaydeckSaving,
  relaydeckTwoMixes,
  type StartEngine,
} from './engines.ts'
import { cpuSeconds, memory } from './processes.ts'
import { sample, send } from './sample.ts'
import { sink } from './sink.ts'

const goals = { mixes: 1.15, ffmpegShare: 1 / 15, memory: 100_000_000, p50: 2, p95: 10 }
const short = process.argv.includes('short')
const counts = process.argv.includes('mixes') ? [] : short ? [1, 50] : [1, 50, 100]
const windowMs = short ? 8_000 : 12_000
const rounds = short ? 1 : 3
const saving = 'relaydeck, RELAY_GATHER_MS=40'
const engines = { relaydeck, [saving]: relaydeckSaving, 'nginx-rtmp push': nginxPush, 'ffmpeg each': ffmpegEach }
type Name = keyof typeof engines

/** Figures of one engine with one number of destinations. `cpu`: processor seconds per minute of stream. */
interface Figures {
  readonly cpu: number
  readonly memory: number
  readonly p50: number
  readonly p95: number
  /** Ratio of received to sent frames at the measured destination. */
  readonly arrived: number
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

async function measure(start: StartEngine, count: number, videoTracks: 1 | 2 = 1): Promise<Figures> {
  let delays: number[] = []
  let source: Awaited<ReturnType<typeof send>> | undefined
  const platforms = await sink((mark) => {
    const sent = source?.sentAt(mark)
    if (sent !== undefined) delays.push(performance.now() - sent)
  })
  const engine: Engine = await start(platforms.urls(count))
  try {
    source = await send(engine.port, engine.key, videoTracks)
    await allLive(() => platforms.streams(), count)
    // Warm-up: compilation happens once, and not in each minute.
    await wait(6_000)
    delays = []
    const [cpu, since] = [cpuSeconds(engine.pids()), performance.now()]
    await wait(windowMs)
    const seconds = (performance.now() - since) / 1000
    const used = ((cpuSeconds(engine.pids()) - cpu) / seconds) * 60
    const sorted = delays.toSorted((a, b) => a - b)
    const perSecond = (await sample()).messages.length / 20
    const rss = memory(engine.pids())
    return {
      cpu: used,
      memory: rss,
      p50: at(sorted, 0.5),
      p95: at(sorted, 0.95),
      arrived: sorted.length / seconds / perSecond,
    }
  } finally {
    source?.stop()
    await engine.stop()
    await platforms.stop()
  }
}

/** Medians of several rounds, per figure. */
function middleOf(found: readonly Figures[]): Figures {
  const of = (key: keyof Figures) => median(found.map((figures) => figures[key]))
  return { cpu: of('cpu'), memory: of('memory'), p50: of('p50'), p95: of('p95'), arrived: of('arrived') }
}

async function allLive(streams: () => Promise<number>, count: number): Promise<void> {
  for (let left = 300; left > 0; left--) {
    if ((await streams()) >= count) return
    await wait(200)
  }
  throw new Error(`Only ${await streams()} of ${count} destinations came up within a minute`)
}

const seconds = (value: number): string => `${value.toFixed(value < 0.1 ? 4 : 2)} s`
const ms = (value: number): string => `${value.toFixed(1)} ms`
const rows: Row[] = []
const goal = (what: string, value: number, max: number, show: (value: number) => string, beside: string) =>
  rows.push({ what, value: show(value), beside, goal: `≤ ${show(max)}`, pass: value <= max })

endOnSignals()
await ensureMedia()
say(
  `${cpus().length} cores, Node ${process.version}; 1080p30 at 6 Mbps, the middle of ${rounds} × ${windowMs / 1000} s`,
)
await sample()
/** Engines measured only for their slope run with the first and the last count. */
const isEnd = (count: number) => count === counts[0] || count === counts.at(-1)
const all = new Map<Name, Map<number, Figures>>()
const names = Object.keys(engines) as Name[]
for (const name of names) all.set(name, new Map())
for (const count of counts) {
  const measured = names.filter((name) => name !== saving || isEnd(count))
  const found = new Map<Name, Figures[]>(measured.map((name) => [name, []]))
  // Alternates engines, so that other load affects all of them. One round is enough for a hundred ffmpegs.
  for (let round = 0; round < rounds; round++)
    for (const name of measured)
      if (name !== 'ffmpeg each' || round === 0) found.get(name)?.push(await measure(engines[name], count))
  for (const name of measured) {
    const middle = middleOf(found.get(name) ?? [])
    all.get(name)?.set(count, middle)
    const arrived = `${Math.round(middle.arrived * 100)} % arrived`
    say(
      `${name}, ${count}: ${seconds(middle.cpu)}/min, ${megabytes(middle.memory)}, ${ms(middle.p50)} / ${ms(middle.p95)}, ${arrived}`,
    )
  }
}

const of = (name: Name, count: number) => all.get(name)?.get(count) ?? ({} as Figures)
const first = counts[0] ?? 1
const last = counts.at(-1) ?? 1
/** Cost per additional destination, up to the count at which the engine kept up: an overloaded engine does less work. */
function slope(name: Name): number {
  const keptUp = counts.findLast((count) => count > first && Math.abs(of(name, count).arrived - 1) < 0.05)
  const most = keptUp ?? last
  return (of(name, most).cpu - of(name, first).cpu) / (most - first)
}
const besides = (show: (figures: Figures) => string, count: number) =>
  `nginx ${show(of('nginx-rtmp push', count))}, ffmpeg ${show(of('ffmpeg each', count))}`

/** Three destinations of an encoder with two video tracks: all receive the first, or one receives the second. */
async function measureMixes(): Promise<void> {
  const found: Record<'one' | 'two', Figures[]> = { one: [], two: [] }
  for (let round = 0; round < rounds; round++) {
    found.one.push(await measure(relaydeck, 3, 2))
    found.two.push(await measure(relaydeckTwoMixes, 3, 2))
  }
  const [one, two] = [middleOf(found.one), middleOf(found.two)]
  const beside = `one mix ${seconds(one.cpu)}`
  rows.push({ what: 'Two mixes, 3 destinations: CPU per minute of stream', value: seconds(two.cpu), beside })
  goal('Two mixes beside one', two.cpu / one.cpu, goals.mixes, (ratio) => ratio.toFixed(2), beside)
}

for (const count of counts) {
  const own = of('relaydeck', count)
  const cpu = (figures: Figures) => seconds(figures.cpu)
  rows.push({ what: `${count}: CPU per minute of stream`, value: cpu(own), beside: besides(cpu, count) })
  const rss = (figures: Figures) => megabytes(figures.memory)
  if (count === 100) goal(`${count}: memory (RSS)`, own.memory, goals.memory, megabytes, besides(rss, count))
  else rows.push({ what: `${count}: memory (RSS)`, value: rss(own), beside: besides(rss, count) })
  goal(
    `${count}: added latency, half of all`,
    own.p50,
    goals.p50,
    ms,
    besides(({ p50 }) => ms(p50), count),
  )
  goal(
    `${count}: added latency, 95 of 100`,
    own.p95,
    goals.p95,
    ms,
    besides(({ p95 }) => ms(p95), count),
  )
}
function showSlopes(): void {
  const each = 'CPU per minute for one more destination'
  const beside = `nginx ${seconds(slope('nginx-rtmp push'))}, ffmpeg ${seconds(slope('ffmpeg each'))}`
  goal(`${each}, beside nginx-rtmp`, slope('relaydeck'), slope('nginx-rtmp push'), seconds, beside)
  const share = slope('ffmpeg each') * goals.ffmpegShare
  goal(`${each}, beside ffmpeg`, slope('relaydeck'), share, seconds, beside)
  goal(`the same with RELAY_GATHER_MS=40`, slope(saving), share, seconds, beside)
}

if (counts.length > 0) showSlopes()
await measureMixes()

console.log(`\n${table(rows)}\n`)
const missed = rows.filter((row) => row.pass === false).length
console.log(`${rows.filter((row) => row.pass).length} goals met, ${missed} missed`)
process.exitCode = missed > 0 ? 1 : 0
