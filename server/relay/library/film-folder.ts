// Folder of films on the disk of a node, which the processes of a machine share. Files that are made have another name until they are complete.
import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '#server/core/folder.ts'

/** A film that was requested within this time stays, milliseconds. */
const usedMs = 10 * 60_000
/** A file that is made grows; afterwards its process has ended, milliseconds. */
const partMs = 10 * 60_000
/** Space of the disk that films leave, bytes: recordings stop below 1 GB. */
const freeBytesMin = 1_280 * 1024 * 1024
/** Room is made for so much at a time, bytes. */
const stepBytes = 32 * 1024 * 1024

const filmEnd = '.film'
const partEnd = '.part'

/** Share of the disk that films take where no limit is set: recordings need the rest. */
const diskShare = 0.5

export class FilmFolder {
  readonly #path: string
  readonly #bytesMax: number | undefined

  /** @param bytesMax default: half of what the folder has and of the free space of its disk */
  constructor(path: string, bytesMax?: number) {
    this.#path = path
    this.#bytesMax = bytesMax
  }

  /** Returns the most bytes that the folder may have now. */
  async bytesMax(): Promise<number> {
    if (this.#bytesMax !== undefined) return this.#bytesMax
    const files = await this.#files()
    return (sumOf(files) + (await this.#free())) * diskShare
  }

  /** Returns the path of a film. @param key names file and format */
  pathOf(key: string): string {
    return join(this.#path, createHash('sha256').update(key).digest('hex').slice(0, 40) + filmEnd)
  }

  /** Creates the folder where it is missing. */
  make(): Promise<void> {
    return makeFolder(this.#path)
  }

  /** Creates the folder. @returns a path for a file that is being made */
  async partPath(): Promise<string> {
    await this.make()
    return join(this.#path, randomUUID() + partEnd)
  }

  /** A film is in use. @returns whether it is there */
  async touch(path: string): Promise<boolean> {
    const now = new Date()
    return utimes(path, now, now).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
    )
  }

  /** Returns a function that makes room for the bytes of a file, in steps. It throws when there is no room. */
  reserve(): (bytes: number) => Promise<void> {
    let left = 0
    return async (bytes) => {
      if (bytes > left) {
        await this.#makeRoom(stepBytes + bytes)
        left = stepBytes + bytes
      }
      left -= bytes
    }
  }

  /** Removes what killed processes left, and then the films in no use that were used the longest ago. */
  async #makeRoom(bytes: number): Promise<void> {
    const now = Date.now()
    const files = await this.#files()
    const bytesMax = await this.bytesMax()
    let sum = sumOf(files)
    const idle = files
      .filter(({ path, usedAt }) => now - usedAt > (path.endsWith(partEnd) ? partMs : usedMs))
      .toSorted((a, b) => Number(b.path.endsWith(partEnd)) - Number(a.path.endsWith(partEnd)) || a.usedAt - b.usedAt)
    for (const { path, size } of idle) {
      if (!path.endsWith(partEnd) && sum + bytes <= bytesMax && (await this.#hasSpace(bytes))) break
      await rm(path, { force: true })
      sum -= size
    }
    if (sum + bytes > bytesMax) throw new Error('The folder of clips is full')
    if (!(await this.#hasSpace(bytes))) throw new Error('The disk is full')
  }

  async #hasSpace(bytes: number): Promise<boolean> {
    return (await this.#free()) > bytes + freeBytesMin
  }

  async #free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#path)
    return bavail * bsize
  }

  async #files() {
    const names = (await readdir(this.#path)).filter((name) => name.endsWith(filmEnd) || name.endsWith(partEnd))
    const files = names.map(async (name) => {
      const path = join(this.#path, name)
      // Another process may have removed it.
      const about = await stat(path).catch(() => null)
      return about?.isFile() ? [{ path, size: about.size, usedAt: about.mtimeMs }] : []
    })
    return (await Promise.all(files)).flat()
  }
}

const sumOf = (files: readonly { readonly size: number }[]): number => files.reduce((sum, { size }) => sum + size, 0)
