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

/**
 * Lists the texts and images of a folder. A link that leads out of the folder is a problem, and its target is not read.
 * @param prefix path that stands for the folder itself: `help` for a folder of articles
 */
export async function listFiles(
  folder: string,
  prefix = '',
): Promise<{ readonly files: ContentFile[]; readonly problems: Problem[] }> {
  const files: ContentFile[] = []
  const problems: Problem[] = []
  const root = await realpath(folder).catch(() => null)
  if (root === null) return { files, problems: [{ file: folder, line: 0, text: 'The folder does not exist' }] }

  const isInside = async (path: string) => {
    const real = await realpath(path).catch(() => '')
    return real.startsWith(root.endsWith(sep) ? root : root + sep)
  }

  async function walk(at: string, path: string, depth: number): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || files.length >= filesMax) continue
      const absolute = join(at, entry.name)
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isSymbolicLink() && !(await isInside(absolute))) {
        problems.push({ file: below, line: 0, text: 'The link leads out of the folder' })
        continue
      }
      const found = await stat(absolute).catch(() => null)
      if (found?.isDirectory() && depth < depthMax) await walk(absolute, below, depth + 1)
      if (found?.isFile() && isContent.test(entry.name))
        files.push({ path: below, absolute, changed: found.mtime, size: found.size })
    }
  }

  await walk(root, prefix, 0)
  if (files.length >= filesMax) problems.push({ file: folder, line: 0, text: `More than ${filesMax} files` })
  return { files, problems }
}
