// External programs of a node: single runs and supervised processes. All of them end with the node.
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import type { Ffmpeg } from '#server/domain/ingest/report.ts'
import { tryCards } from './cards.ts'
import { type Child, type Ending, launch, type LaunchOptions } from './child.ts'

// Detects ffmpeg and its build options. Every feature except relaying needs it, and reports if it is missing.

/** Programs run at a low priority, so a loaded machine may take long; a node probes once in its life. */
const probeMs = 60_000
const answerBytesMax = 1024 * 1024

/** Detects ffmpeg. @param hasCard the encoders of graphics cards are tried @returns null if it is missing */
async function probeFfmpeg(command: string, hasCard: boolean): Promise<Ffmpeg | null> {
  if (command === '') return null
  const ask = async (question: string) => {
    const child = launch({ command, args: ['-hide_banner', question], keepOut: answerBytesMax, timeoutMs: probeMs })
    child.stdin.end()
    const { code, out } = await child.over
    return code === 0 ? out.toString() : ''
  }
  const version = /^ffmpeg version (\S{1,100})/.exec(await ask('-version'))?.[1]
  if (version === undefined) return null
  const encoders = new Set((await ask('-encoders')).split(/\s+/))
  const protocols = new Set((await ask('-protocols')).split(/\s+/))
  const cards = hasCard ? await tryCards(command, encoders) : []
  return {
    version,
    x264: encoders.has('libx264'),
    x265: encoders.has('libx265'),
    srt: protocols.has('srt'),
    ...(cards.length > 0 && { cards }),
  }
}

/** State of a supervised program. */
export interface ProgramState {
  readonly running: boolean
  /** Number of starts. */
  readonly starts: number
  /** Time of the last start or end, wall clock, milliseconds. */
  readonly since: number
  /** Last lines of the error output of the last failed run, without secrets; null without a failure. */
  readonly failure: string | null
  /** Time of the next start; null while it runs, and when it is stopped. */
  readonly nextRetry: number | null
}

export interface KeepOptions extends Pick<LaunchOptions, 'args' | 'secrets' | 'outputs'> {
  /**
   * Called after each start: connects the pipes (`sendFlv` to `stdin`, `FlvReader` to `stdout`). It must read
   * `stdout`, and `more` where it asked for further outputs, or the program blocks.
   * @returns a function that releases them when the program has ended
   */
  readonly attach: (io: Pick<Child, 'stdin' | 'stdout' | 'more'>) => () => void
  /** Called after each change of state. */
  readonly onState?: (state: ProgramState) => void
}

export interface Kept {
  state(): ProgramState
  /** Stops the program. */
  stop(): Promise<void>
}

export interface Programs {
  /** The detected ffmpeg; null if missing. Detected once. */
  readonly ffmpeg: Promise<Ffmpeg | null>
  /** Runs ffmpeg once. @param input data for `pipe:0` */
  run(options: Omit<LaunchOptions, 'command'>, input?: Buffer): Promise<Ending>
  /** Starts ffmpeg; the caller reads its output and restarts it. */
  start(options: Omit<LaunchOptions, 'command'>): Child
  /** Keeps ffmpeg running: restarts it with backoff when it ends. */
  keep(options: KeepOptions): Kept
  /** Ends all programs. */
  close(): Promise<void>
}

/** Waits before restarts of a program that has ended. */
export const programRestarts: Backoff = { firstMs: 500, mostMs: 30_000, jitter: 0.5 }
/** After this run time the next failure starts with the shortest retry. */
const wellMs = 20_000

/**
 * Programs of one node.
 * @param command name or path of ffmpeg; empty: do not use it
 * @param hasCard tries the encoders of graphics cards
 */
export function openPrograms(command: string, hasCard = false): Programs {
  const all = new Set<{ stop(): Promise<void> }>()
  const ffmpeg = probeFfmpeg(command, hasCard)
  return {
    ffmpeg,
    async run(options, input) {
      const child = launch({ command, ...options })
      const one = { stop: async () => (child.stop(), void (await child.over)) }
      all.add(one)
      child.stdin.end(input)
      const ending = await child.over
      all.delete(one)
      return ending
    },
    start(options) {
      const child = launch({ command, ...options })
      const one = { stop: async () => (child.stop(), void (await child.over)) }
      all.add(one)
      void child.over.then(() => all.delete(one))
      return child
    },
    keep(options) {
      const kept = keep(command, options)
      const one = { ...kept, stop: async () => (all.delete(one), await kept.stop()) }
      all.add(one)
      return one
    },
    async close() {
      await Promise.all([...all].map((one) => one.stop()))
      await ffmpeg
    },
  }
}

function keep(command: string, { args, secrets, outputs = 0, attach, onState }: KeepOptions): Kept {
  let child: Child | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let failures = 0
  let state: ProgramState = { running: false, starts: 0, since: Date.now(), failure: null, nextRetry: null }
  const enter = (changes: Partial<ProgramState>) => {
    state = { ...state, ...changes }
    onState?.(state)
  }

  function start() {
    const began = launch({ command, args, outputs, ...(secrets && { secrets }) })
    child = began
    const detach = attach(began)
    void began.over.then(({ said, code }) => {
      detach()
      child = null
      ended(said || `It ended with code ${code}`)
    })
    enter({ running: true, starts: state.starts + 1, since: Date.now(), nextRetry: null })
  }

  function ended(failure: string) {
    const now = Date.now()
    if (stopped) return enter({ running: false, since: now, failure: null, nextRetry: null })
    if (now - state.since > wellMs) failures = 0
    const wait = backoffMs(programRestarts, ++failures)
    timer = setTimeout(start, wait)
    enter({ running: false, since: now, failure, nextRetry: now + wait })
  }

  start()
  return {
    state: () => state,
    async stop() {
      stopped = true
      clearTimeout(timer)
      const last = child
      if (!last) return
      // Closing its input lets the program finish its output.
      last.stdin.end()
      last.stop()
      await last.over
    },
  }
}
