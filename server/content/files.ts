// Files of a content folder: texts and images, never outside the folder.
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A file below a content folder. */
export interface ContentFile {
  /** Path below the folder with `/`: `help/en/start/obs.md`. */
  readonly path: string
  readonly absolute: string
  readonly changed: Date
  /** Bytes. */
  readonly size: number
}

/** A finding for the author of a text. `line` is 1-based; 0 for the whole file. */
export interface Problem {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Maximum number of files of a folder, and depth of its folders. */
const filesMax = 5000
const depthMax = 6

const isContent = /\.(?:md|png|webp)$/i

interface Entry {
  readonly absolute: string
  /** Path below the content folder. */
  readonly path: string
  readonly isLink: boolean
}

/**
 * Lists the texts and images of a folder. A link that leads out of the folder is a problem, and its target is not read.
 * @param prefix path that stands for the folder itself: `help` for a folder of articles
 */
export async function listFiles(
  folder: string,
  prefix = '',
): Promise<{ readonly files: ContentFile[]; readonly problems: Problem[] }> {
  const root = await realpath(folder).catch(() => null)
  if (root === null) return { files: [], problems: [{ file: folder, line: 0, text: 'The folder does not exist' }] }
  const files: ContentFile[] = []
  const problems: Problem[] = []

  const isInside = async (path: string) => {
    const real = await realpath(path).catch(() => '')
    return real.startsWith(root.endsWith(sep) ? root : root + sep)
  }

  /** Adds a file. @returns the entry if it is a folder */
  async function visit(entry: Entry): Promise<Entry | null> {
    if (entry.isLink && !(await isInside(entry.absolute))) {
      problems.push({ file: entry.path, line: 0, text: 'The link leads out of the folder' })
      return null
    }
    const found = await stat(entry.absolute).catch(() => null)
    if (found?.isDirectory()) return entry
    if (found?.isFile() && isContent.test(entry.path))
      files.push({ path: entry.path, absolute: entry.absolute, changed: found.mtime, size: found.size })
    return null
  }

  let folders: Entry[] = [{ absolute: root, path: prefix, isLink: false }]
  for (let depth = 0; depth <= depthMax && folders.length > 0 && files.length < filesMax; depth++) {
    const entries = (await together(folders, entriesOf)).flat()
    const visited = await together(entries.slice(0, filesMax), visit)
    folders = visited.filter((entry) => entry !== null)
  }
  if (files.length >= filesMax) problems.push({ file: folder, line: 0, text: `More than ${filesMax} files` })
  const inOrder = <T>(list: T[], key: (item: T) => string): T[] =>
    list.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  return {
    files: inOrder(files, ({ path }) => path).slice(0, filesMax),
    problems: inOrder(problems, ({ file }) => file),
  }
}

/** Entries of a folder that may be texts, images or folders. */
async function entriesOf({ absolute, path }: Entry): Promise<Entry[]> {
  const entries = await readdir(absolute, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.name.startsWith('.') && !(entry.isFile() && !isContent.test(entry.name)))
    .map((entry) => ({
      absolute: join(absolute, entry.name),
      path: path === '' ? entry.name : `${path}/${entry.name}`,
      isLink: entry.isSymbolicLink(),
    }))
}

/** Number of file operations at the same time. */
const atOnce = 64

/**
 * Runs a task for each item, many at a time: each operation on a file takes a turn of the event loop, and a busy service
 * has long turns.
 * @returns the results in the order of the items
 */
export async function together<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [at, item] of rest) results[at] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
