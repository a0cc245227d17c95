// Files that are being recorded or remuxed. Each process has a folder of its own below a lock; other processes take its files
// over only after its end.
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { makeFolder } from '#server/core/folder.ts'
import { lockFile } from '#server/core/lock-file.ts'

/** A file whose process has ended, now in the folder of this process. */
export interface AdoptedFile {
  readonly projectId: number
  readonly file: string
}

const isProject = (name: string): boolean => /^\d+$/.test(name)
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

export class OpenFiles {
  readonly #recordings: string
  readonly #all: string
  readonly #own: string
  #lock: Promise<() => void> | undefined

  /** @param recordings contains a folder per project with its finished files */
  constructor(recordings: string) {
    this.#recordings = recordings
    this.#all = join(recordings, '.open')
    this.#own = join(this.#all, `${process.pid}-${randomUUID()}`)
  }

  /** Makes the folders of a project: of its finished files, and of those that this process writes. @returns the latter */
  async folderOf(projectId: number): Promise<string> {
    await (this.#lock ??= this.#lockOwn())
    const folder = join(this.#own, String(projectId))
    for (const each of [folder, this.#finished(projectId)]) await makeFolder(each)
    return folder
  }

  /** Moves a file to the finished ones, under its final name. @returns its path */
  async finish(projectId: number, file: string, name: string): Promise<string> {
    const target = join(this.#finished(projectId), name)
    await rename(file, target)
    return target
  }

  /** Returns the bytes of the project's files on this disk, of all processes. */
  async bytesOf(projectId: number): Promise<number> {
    const folders = (await namesIn(this.#all)).map((each) => join(this.#all, each, String(projectId)))
    let sum = 0
    for (const folder of [this.#finished(projectId), ...folders])
      for (const name of await namesIn(folder))
        // A file may end meanwhile.
        sum += (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size
    return sum
  }

  /** Takes over the files of processes that have ended, and deletes incomplete MP4 files of them. */
  async adopt(): Promise<AdoptedFile[]> {
    const adopted: AdoptedFile[] = []
    for (const name of await namesIn(this.#all)) {
      const folder = join(this.#all, name)
      if (folder !== this.#own && !name.startsWith('.')) adopted.push(...(await this.#adoptFrom(folder)))
    }
    return adopted
  }

  /**
   * Takes finished files: of a time without ffmpeg, and of earlier releases, which wrote there.
   * @param isWanted decides by the name
   */
  async adoptFinished(isWanted: (name: string) => boolean): Promise<AdoptedFile[]> {
    const adopted: AdoptedFile[] = []
    for (const project of (await namesIn(this.#recordings)).filter(isProject)) {
      const folder = this.#finished(Number(project))
      for (const name of await namesIn(folder)) {
        if (name.endsWith('.part')) await rm(join(folder, name), { force: true })
        else if (isWanted(name)) adopted.push(...(await this.#take(Number(project), join(folder, name))))
      }
    }
    return adopted
  }

  /** Lets other processes take the files of this one. */
  async close(): Promise<void> {
    const unlock = await this.#lock?.catch(() => undefined)
    this.#lock = undefined
    if (!unlock) return
    const left = await Promise.all((await namesIn(this.#own)).map((each) => namesIn(join(this.#own, each))))
    if (left.flat().length === 0) await rm(this.#own, { recursive: true, force: true })
    unlock()
  }

  #finished = (projectId: number): string => join(this.#recordings, String(projectId))

  /** Makes the folder of this process. It gets its name when it is locked, so that it is never seen without. */
  async #lockOwn(): Promise<() => void> {
    const unseen = join(this.#all, `.${basename(this.#own)}`)
    await makeFolder(unseen)
    const unlock = lockFile(join(unseen, 'lock'))
    if (!unlock) throw new Error(`${unseen} is locked by another process`)
    await rename(unseen, this.#own)
    return unlock
  }

  async #adoptFrom(folder: string): Promise<AdoptedFile[]> {
    const unlock = lockIfFree(join(folder, 'lock'))
    if (!unlock) return []
    try {
      const adopted: AdoptedFile[] = []
      for (const project of (await namesIn(folder)).filter(isProject))
        for (const name of (await namesIn(join(folder, project))).filter((each) => each.endsWith('.flv')))
          adopted.push(...(await this.#take(Number(project), join(folder, project, name))))
      await rm(folder, { recursive: true, force: true })
      return adopted
    } finally {
      unlock()
    }
  }

  /** Moves a file to the folder of this process. @returns nothing when another process was faster */
  async #take(projectId: number, from: string): Promise<AdoptedFile[]> {
    const file = join(await this.folderOf(projectId), basename(from))
    try {
      await rename(from, file)
      return [{ projectId, file }]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }
}

/** @returns null also when its folder is removed meanwhile: another process has taken the files */
function lockIfFree(file: string): (() => void) | null {
  try {
    return lockFile(file, 0)
  } catch {
    return null
  }
}
