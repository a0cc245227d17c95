// Recordings of a node: records the desired projects, remuxes their files, and recovers files of a node that was killed.
// A file is FLV while it is written, and MP4 afterwards; without ffmpeg it stays FLV.
import { rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { doubledMs } from '#contract/core/backoff.ts'
import type { DesiredRecording } from '#contract/relay/desired-state.ts'
import type { RecordingReport } from '#contract/relay/reports.ts'
import type { Live } from '#server/relay/live.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { type AdoptedFile, OpenFiles } from './open-files.ts'
import { fileNameOf, Recorder, type RecordingFile, type RecordingTrouble } from './recorder.ts'

// Remuxes a recording from FLV to MP4 without re-encoding.

const inputArgs = '-v error -nostats -progress pipe:1 -y -i'.split(' ')
const outputArgs = '-map 0:v? -map 0:a? -c copy -movflags +faststart -f mp4'.split(' ')
const progressBytesMax = 1024 ** 2

/** Returns the free bytes on the disk of a folder. */
async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Makes an MP4 beside an FLV.
 * @param freeBytes bytes of the disk that must stay free
 * @returns the new file, `.mp4.part`; null without ffmpeg, without enough space, or if ffmpeg fails
 */
async function remux(
  programs: Programs,
  file: string,
  freeBytes: number,
): Promise<Pick<RecordingFile, 'file' | 'bytes' | 'durationMs'> | null> {
  if (!(await programs.ffmpeg)) return null
  const { size } = await stat(file)
  if ((await freeBytesOf(dirname(file))) - size < freeBytes) return null
  const part = join(dirname(file), `${basename(file, '.flv')}.mp4.part`)
  const { code, out } = await programs.run({
    args: [...inputArgs, file, ...outputArgs, part],
    keepOut: progressBytesMax,
    writesFile: true,
  })
  if (code !== 0) {
    await rm(part, { force: true })
    return null
  }
  const micros = [...out.toString().matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
  return { file: part, bytes: (await stat(part)).size, durationMs: Math.round(Number(micros ?? 0) / 1000) }
}

export interface RecordingsOptions {
  /** Contains a folder per project; empty: do not record. */
  readonly folder: string
  readonly programs: Programs
  readonly live: (projectId: number) => Live | undefined
  readonly report: (projectId: number, report: RecordingReport) => void
  /** Default: a file ends after an hour or 4 GB; a gigabyte of the disk stays free. */
  readonly limits?: { readonly splitBytes: number; readonly splitMs: number; readonly freeBytes: number }
  readonly adoptMs?: number
}

const defaultLimits = { splitBytes: 4 * 1024 ** 3, splitMs: 3_600_000, freeBytes: 1024 ** 3 }
const checkMs = 5_000
/** Waits before a recording that a full disk ended begins again. */
const resume = { firstMs: 30_000, mostMs: 600_000 }
/** A full disk ends the recordings of a broadcast for good after so many. */
const fullsMax = 20
/** Space that a recording needs to begin again, above the limit: it would end at once, bytes. */
const resumeBytes = 256 * 1024 ** 2
/** Interval of the search for files of processes that have ended. */
const adoptMs = 60_000

export class Recordings {
  readonly #options: RecordingsOptions
  readonly #limits: NonNullable<RecordingsOptions['limits']>
  readonly #desired = new Map<number, DesiredRecording>()
  readonly #recorders = new Map<number, Recorder>()
  /** Reason why a project is not recorded, until its desired state changes. */
  readonly #troubles = new Map<number, RecordingTrouble>()
  /** How often a full disk ended recordings of a broadcast; none begins before a time, wall clock, milliseconds. */
  readonly #fulls = new Map<number, { readonly count: number; readonly notBefore: number }>()
  readonly #beginning = new Set<number>()
  readonly #closing = new Set<Promise<void>>()
  /** Deleted recordings, which are reported as `gone` only. */
  readonly #deleted = new Set<string>()
  readonly #files: OpenFiles
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #startedOn = Date.now()
  #isClosing = false
  /** A task of the queue is running. */
  #isBusy = false
  #queue: Promise<void> = Promise.resolve()

  constructor(options: RecordingsOptions) {
    this.#options = options
    this.#limits = options.limits ?? defaultLimits
    this.#files = new OpenFiles(options.folder)
    const adopt = () => this.#queueUp(() => this.#adopt())
    this.#timers =
      options.folder === ''
        ? []
        : [setInterval(() => this.#check(), checkMs), setInterval(adopt, options.adoptMs ?? adoptMs)]
    if (options.folder !== '') this.#queueUp(() => this.#recover())
  }

  /** Applies the desired state; recording begins when the project is on air. */
  update(projectId: number, desired: DesiredRecording | undefined): void {
    const before = this.#desired.get(projectId)
    if (!desired) return this.end(projectId)
    this.#desired.set(projectId, desired)
    if (before?.bytesMax !== desired.bytesMax) this.#troubles.delete(projectId)
    this.begin(projectId)
  }

  /** The project is on air: begins to record, if desired. */
  begin(projectId: number): void {
    const { folder, live } = this.#options
    if (folder === '' || !this.#desired.has(projectId) || this.#beginning.has(projectId)) return
    if (this.#troubles.has(projectId) || this.#recorders.has(projectId) || !live(projectId)) return
    this.#beginning.add(projectId)
    void this.#files
      .folderOf(projectId)
      .then(async (own) => (await this.#troubleAt(projectId)) ?? { own })
      .catch(() => 'disk_error' as const)
      .then((found) => {
        this.#beginning.delete(projectId)
        if (typeof found === 'object') return this.#record(projectId, found.own)
        this.#noteTrouble(projectId, found)
        const startedAt = Date.now()
        const file = fileNameOf(startedAt)
        this.#report(projectId, { file, startedAt, bytes: 0, durationMs: 0 }, 'failed', found)
      })
  }

  /** The project is off air, or not recorded any more. */
  end(projectId: number): void {
    this.#desired.delete(projectId)
    this.#troubles.delete(projectId)
    this.#fulls.delete(projectId)
    this.#stop(projectId)
  }

  /** Deletes recordings and reports `gone`. A file that cannot be deleted now is requested again. */
  forget(names: readonly string[]): void {
    if (this.#options.folder !== '') for (const name of names) void this.#delete(name).catch(() => undefined)
  }

  /** Ends all recordings. Files that are not remuxed yet are recovered at the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const projectId of this.#recorders.keys()) this.#stop(projectId)
    await Promise.all(this.#closing)
    // A running remux ends when the programs are closed, which is later.
    const closed = this.#queue.then(() => this.#files.close())
    if (!this.#isBusy) await closed
  }

  #record(projectId: number, own: string): void {
    const hub = this.#options.live(projectId)?.hub
    // The broadcast may have ended meanwhile.
    if (!hub || !this.#desired.has(projectId) || this.#isClosing) return
    const recorder = new Recorder({
      hub,
      folder: own,
      splitBytes: this.#limits.splitBytes,
      splitMs: this.#limits.splitMs,
      onBegin: (file) => this.#report(projectId, file, 'recording', null),
      onDone: (file) => this.#finish(projectId, file, this.#troubles.get(projectId) ?? null),
      onTrouble: (trouble) => {
        this.#noteTrouble(projectId, trouble)
        this.#recorders.delete(projectId)
      },
    })
    this.#recorders.set(projectId, recorder)
  }

  #stop(projectId: number): void {
    const recorder = this.#recorders.get(projectId)
    this.#recorders.delete(projectId)
    if (!recorder) return
    const closed = recorder.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  #report(
    projectId: number,
    recording: RecordingFile,
    state: RecordingReport['state'],
    reason: RecordingTrouble | null,
  ): void {
    const file = `${projectId}/${basename(recording.file)}`
    const name = file.replace(/\.\w+$/, '')
    if (state === 'gone' || !this.#deleted.has(name))
      this.#options.report(projectId, { ...recording, file, name, state, reason })
  }

  /** Returns why a project cannot be recorded: the disk is full, or its space is used up. */
  async #troubleAt(projectId: number): Promise<RecordingTrouble | null> {
    if ((await freeBytesOf(this.#options.folder)) < this.#limits.freeBytes) return 'disk_full'
    return (await this.#files.bytesOf(projectId)) > (this.#desired.get(projectId)?.bytesMax ?? 0) ? 'limit' : null
  }

  #check(): void {
    for (const [projectId, recorder] of this.#recorders) {
      if (recorder.current) this.#report(projectId, recorder.current, 'recording', null)
      void this.#troubleAt(projectId)
        .then((trouble) => trouble && recorder.fail(trouble))
        .catch(() => undefined)
    }
    void this.#resume().catch(() => undefined)
  }

  #noteTrouble(projectId: number, trouble: RecordingTrouble): void {
    this.#troubles.set(projectId, trouble)
    if (trouble !== 'disk_full') return
    const count = (this.#fulls.get(projectId)?.count ?? 0) + 1
    this.#fulls.set(projectId, { count, notBefore: Date.now() + doubledMs(resume, count) })
  }

  /** Continues recordings that a full disk ended, each in a new file, when it has space again. */
  async #resume(): Promise<void> {
    const now = Date.now()
    const due = [...this.#fulls].filter(([, { count, notBefore }]) => count < fullsMax && notBefore <= now)
    const full = due.map(([projectId]) => projectId).filter((id) => this.#troubles.get(id) === 'disk_full')
    if (full.length === 0) return
    if ((await freeBytesOf(this.#options.folder)) < this.#limits.freeBytes + resumeBytes) return
    for (const projectId of full) {
      // It may have ended meanwhile.
      if (this.#isClosing || this.#troubles.get(projectId) !== 'disk_full') continue
      this.#troubles.delete(projectId)
      this.begin(projectId)
    }
  }

  /** Remuxes a file. One at a time, so that recordings keep the disk's bandwidth. */
  #finish(projectId: number, recording: RecordingFile, reason: RecordingTrouble | null): void {
    const { programs } = this.#options
    this.#report(projectId, recording, 'processing', reason)
    this.#queueUp(async () => {
      const made = await remux(programs, recording.file, this.#limits.freeBytes).catch(() => null)
      // If the node ends meanwhile, the next one starts over.
      if (this.#isClosing && !made) return
      const name = basename(recording.file, '.flv')
      const type = made ? 'mp4' : 'flv'
      const file = await this.#files.finish(projectId, made?.file ?? recording.file, `${name}.${type}`)
      if (made) await rm(recording.file)
      // A file that cannot be deleted now is requested again.
      if (this.#deleted.has(`${projectId}/${name}`)) await rm(file, { force: true }).catch(() => undefined)
      this.#report(projectId, { ...recording, ...made, file }, 'ready', reason)
    })
  }

  /** Runs one task on files after the others. A task of a closed node is left to the next one. */
  #queueUp(task: () => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#isClosing) return
      this.#isBusy = true
      await task().catch(() => undefined)
      this.#isBusy = false
    })
  }

  async #delete(name: string): Promise<void> {
    this.#deleted.add(name)
    const path = join(this.#options.folder, name)
    for (const type of ['flv', 'mp4']) await rm(`${path}.${type}`, { force: true })
    const projectId = Number.parseInt(name, 10)
    this.#report(projectId, { file: `${path}.flv`, startedAt: 0, bytes: 0, durationMs: 0 }, 'gone', null)
    if (this.#troubles.get(projectId) !== 'limit') return
    // There is space again.
    this.#troubles.delete(projectId)
    this.begin(projectId)
  }

  /** Finishes the recordings of processes that have ended. Those of running ones are not touched. */
  async #adopt(): Promise<void> {
    await this.#finishAll(await this.#files.adopt())
  }

  /** Finishes files that earlier processes left. */
  async #recover(): Promise<void> {
    await this.#adopt()
    const isEarlier = (name: string) => (startOf(name) ?? Infinity) < this.#startedOn
    await this.#finishAll(await this.#files.adoptFinished(isEarlier))
  }

  async #finishAll(adopted: readonly AdoptedFile[]): Promise<void> {
    for (const { projectId, file } of adopted) {
      const { size: bytes } = await stat(file)
      const startedAt = startOf(basename(file)) ?? this.#startedOn
      this.#finish(projectId, { file, startedAt, bytes, durationMs: 0 }, null)
    }
  }
}

/** Returns the start of a recording by its file name; null for other files. */
function startOf(name: string): number | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.flv$/.exec(name)
  return match ? Date.parse(`${match[1]}:${match[2]}:${match[3]}`) : null
}
