// Recordings of a node: which projects are being written, what becomes of their files, and what was left by a node that was
// killed. A file is FLV while it is written, MP4 once ffmpeg has put it into order; without ffmpeg it stays FLV.
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { RecordingFacts } from '#server/domain/broadcasts/live-facts.ts'
import type { Live } from '#server/relay/live.ts'
import type { Programs } from '#server/relay/programs/programs.ts'
import { nameOf, Recorder, type RecordTrouble, type Take } from './recorder.ts'

/** What the service wants of a project. */
export interface RecordWish {
  /** All recordings of the project on this node together; no more is written above. */
  readonly bytesMax: number
}

export interface RecordingsOptions {
  /** A folder per project is made in it; empty: nothing is recorded. */
  readonly folder: string
  readonly programs: Programs
  readonly live: (projectId: number) => Live | undefined
  readonly tell: (projectId: number, facts: RecordingFacts) => void
  /** Default: a file ends after an hour or 4 GB; a gigabyte of the disk stays free. */
  readonly limits?: { readonly splitBytes: number; readonly splitMs: number; readonly freeBytes: number }
}

export interface Recordings {
  /** What is wanted; it begins when the project is on air. */
  wish(projectId: number, wish: RecordWish | undefined): void
  /** The project is on air: begins, if it is wanted. */
  begin(projectId: number): void
  /** The project is off air. */
  end(projectId: number): void
  /** Takes files away that somebody has deleted, and tells so. @param names as they were told */
  forget(names: readonly string[]): void
  /** Ends what is being written. What is not in order yet is taken up at the next start. */
  close(): Promise<void>
}

const usual = { splitBytes: 4 * 1024 ** 3, splitMs: 3_600_000, freeBytes: 1024 ** 3 }
const guardMs = 5_000

/** Keeps the recordings of a node. */
export function keepRecordings(options: RecordingsOptions): Recordings {
  const { folder, programs, live, tell, limits = usual } = options
  const wishes = new Map<number, RecordWish>()
  const recorders = new Map<number, Recorder>()
  /** Why a project is not written, until it is wanted anew. */
  const troubles = new Map<number, RecordTrouble>()
  const beginning = new Set<number>()
  const ends = new Set<Promise<void>>()
  /** Deleted files: of those nothing else is told. */
  const gone = new Set<string>()
  let closing = false
  let work: Promise<void> = Promise.resolve()

  function report(projectId: number, take: Take, state: RecordingFacts['state'], reason: RecordTrouble | null) {
    const file = relative(folder, take.file)
    const name = nameIn(folder, take.file)
    if (state === 'gone' || !gone.has(name)) tell(projectId, { ...take, file, name, state, reason })
  }

  function begin(projectId: number) {
    if (folder === '' || !wishes.has(projectId) || beginning.has(projectId) || troubles.has(projectId)) return
    if (recorders.has(projectId) || !live(projectId)) return
    beginning.add(projectId)
    const own = join(folder, String(projectId))
    void mkdir(own, { recursive: true, mode: 0o700 })
      .then(() => troubleAt(projectId))
      .catch(() => 'disk_error' as const)
      .then((trouble) => {
        beginning.delete(projectId)
        if (trouble === null) return record(projectId, own)
        troubles.set(projectId, trouble)
        const startedAt = Date.now()
        const file = join(own, nameOf(startedAt))
        report(projectId, { file, startedAt, bytes: 0, durationMs: 0 }, 'failed', trouble)
      })
  }

  function record(projectId: number, own: string) {
    const hub = live(projectId)?.hub
    // It may have ended, or is not wanted any more.
    if (!hub || !wishes.has(projectId) || closing) return
    const recorder = new Recorder({
      hub,
      folder: own,
      splitBytes: limits.splitBytes,
      splitMs: limits.splitMs,
      onBegin: (take) => report(projectId, take, 'recording', null),
      onDone: (take) => finish(projectId, take, troubles.get(projectId) ?? null),
      onTrouble(trouble) {
        troubles.set(projectId, trouble)
        recorders.delete(projectId)
      },
    })
    recorders.set(projectId, recorder)
  }

  function end(projectId: number) {
    const recorder = recorders.get(projectId)
    recorders.delete(projectId)
    if (!recorder) return
    const closed = recorder.close().finally(() => ends.delete(closed))
    ends.add(closed)
  }

  /** What forbids to write: a disk that would be full, or more than the project may have. */
  async function troubleAt(projectId: number): Promise<RecordTrouble | null> {
    const own = join(folder, String(projectId))
    if ((await freeOf(own)) < limits.freeBytes) return 'disk_full'
    return (await sizeOf(own)) > (wishes.get(projectId)?.bytesMax ?? 0) ? 'limit' : null
  }
  const timer = setInterval(() => {
    for (const [projectId, recorder] of recorders) {
      if (recorder.now) report(projectId, recorder.now, 'recording', null)
      void troubleAt(projectId)
        .then((trouble) => trouble && recorder.fail(trouble))
        .catch(() => undefined)
    }
  }, guardMs)

  /** One file after another: putting them into order shall not take the disk from what is being written. */
  function finish(projectId: number, take: Take, reason: RecordTrouble | null) {
    report(projectId, take, 'processing', reason)
    work = work.then(async () => {
      if (closing) return
      const done = await intoOrder(programs, take.file, limits.freeBytes).catch(() => null)
      // What cannot be taken away now is wished for again; the next file has its turn in any case.
      if (done && gone.has(nameIn(folder, done.file))) await rm(done.file, { force: true }).catch(() => undefined)
      // The node goes down in the middle of it: the next one begins it anew.
      if (done || !closing) report(projectId, { ...take, ...done }, 'ready', reason)
    })
  }

  async function forget(name: string): Promise<void> {
    gone.add(name)
    const path = join(folder, name)
    for (const type of ['flv', 'mp4']) await rm(`${path}.${type}`, { force: true })
    const projectId = Number.parseInt(name, 10)
    report(projectId, { file: `${path}.flv`, startedAt: 0, bytes: 0, durationMs: 0 }, 'gone', null)
    if (troubles.get(projectId) !== 'limit') return
    // There is room again.
    troubles.delete(projectId)
    begin(projectId)
  }

  /** Takes up what a node before left: files that were being written when it was killed, and half-made ones. */
  async function resume(): Promise<void> {
    for (const project of await readdir(folder).catch(() => [])) {
      if (!/^\d+$/.test(project)) continue
      for (const name of await readdir(join(folder, project))) {
        const file = join(folder, project, name)
        if (name.endsWith('.part')) await rm(file)
        const startedAt = startOf(name)
        if (startedAt === null || startedAt >= startedOn) continue
        const { size } = await stat(file)
        finish(Number(project), { file, startedAt, bytes: size, durationMs: 0 }, null)
      }
    }
  }
  const startedOn = Date.now()
  if (folder !== '') void resume().catch(() => undefined)

  return {
    wish(projectId, wish) {
      const before = wishes.get(projectId)
      if (!wish) {
        wishes.delete(projectId)
        troubles.delete(projectId)
        return end(projectId)
      }
      wishes.set(projectId, wish)
      if (before?.bytesMax !== wish.bytesMax) troubles.delete(projectId)
      begin(projectId)
    },
    begin,
    end(projectId) {
      wishes.delete(projectId)
      troubles.delete(projectId)
      end(projectId)
    },
    forget(names) {
      // What cannot be taken away now is wished for again.
      if (folder !== '') for (const name of names) void forget(name).catch(() => undefined)
    },
    async close() {
      closing = true
      clearInterval(timer)
      for (const projectId of recorders.keys()) end(projectId)
      await Promise.all(ends)
    },
  }
}

/** What a file is called for good. */
const nameIn = (folder: string, file: string): string => relative(folder, file).replace(/\.\w+$/, '')

/** When a file began, by its name; null for one that is no recording in the making. */
function startOf(name: string): number | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.flv$/.exec(name)
  return match ? Date.parse(`${match[1]}:${match[2]}:${match[3]}`) : null
}

/** Bytes that are free on the disk of a folder. */
async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Bytes of the files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * Makes an MP4 of an FLV, without touching the pictures, and takes the FLV away.
 * @returns the new file; null when there is no room, or ffmpeg cannot
 */
async function intoOrder(
  programs: Programs,
  file: string,
  freeBytes: number,
): Promise<Pick<Take, 'file' | 'bytes' | 'durationMs'> | null> {
  if (!(await programs.ffmpeg)) return null
  const { size } = await stat(file)
  if ((await freeOf(dirname(file))) - size < freeBytes) return null
  const made = join(dirname(file), `${basename(file, '.flv')}.mp4`)
  const args = [
    '-v',
    'error',
    '-nostats',
    '-progress',
    'pipe:1',
    '-y',
    '-i',
    file,
    '-map',
    '0:v?',
    '-map',
    '0:a?',
    '-c',
    'copy',
  ]
  const { code, out } = await programs.run({
    args: [...args, '-movflags', '+faststart', '-f', 'mp4', `${made}.part`],
    keepOut: 1024 ** 2,
  })
  if (code !== 0) {
    await rm(`${made}.part`, { force: true })
    return null
  }
  await rename(`${made}.part`, made)
  await rm(file)
  const micros = [...out.toString().matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
  return { file: made, bytes: (await stat(made)).size, durationMs: Math.round(Number(micros ?? 0) / 1000) }
}
