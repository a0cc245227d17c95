// Content of a service: the library, read at the first use and again when files change. Loaded on demand.
import { join } from 'node:path'
import type { Services } from '#server/core/context.ts'
import { root } from '#server/core/root.ts'
import type { Settings } from '#server/core/settings.ts'
import { type ContentFile, listFiles, type Problem } from './files.ts'
import { type Library, readLibrary } from './library.ts'

/** The texts of a service. */
export interface Content {
  /** Returns the current texts. Files of the operator are compared at most once a second; shipped ones do not change. */
  library(): Promise<Library>
}

type Needs = Pick<Services, 'config' | 'clock' | 'log'>

const contents = new WeakMap<Settings, Content>()

/** Returns the content of a service: one for each configuration. */
export function contentOf(services: Needs): Content {
  const known = contents.get(services.config)
  if (known) return known
  const made = createContent(services)
  contents.set(services.config, made)
  return made
}

/** Shipped articles: `handbook/<language>/…` of the project. */
const shipped = join(root, 'handbook')

const checkMs = 1000

function createContent({ config, clock, log }: Needs): Content {
  let current: Promise<{ readonly library: Library; readonly seen: string }> | undefined
  let checkedAt = 0

  async function read(files: readonly ContentFile[], problems: readonly Problem[], seen: string) {
    const reported = new Set<string>()
    const report = (problem: Problem): void => {
      const key = JSON.stringify(problem)
      if (!reported.has(key)) log.warn({ file: problem.file, line: problem.line }, `Content: ${problem.text}`)
      reported.add(key)
    }
    for (const problem of problems) report(problem)
    const library = await readLibrary(files, report)
    // Texts of the operator are converted immediately, so that the log names their problems. The others follow on demand.
    const own = new Set(files.filter(({ absolute }) => !absolute.startsWith(shipped)).map(({ path }) => path))
    for (const [kind, pages] of Object.entries(library.texts))
      for (const [path, inLanguages] of pages)
        for (const [language, text] of inLanguages) if (own.has(`${kind}/${language}/${path}.md`)) text.blocks()
    return { library, seen }
  }

  let ours: ReturnType<typeof listFiles> | undefined

  async function scan() {
    const [own, theirs] = await Promise.all([
      (ours ??= listFiles(shipped, 'help')),
      config.contentDir === null ? { files: [], problems: [] } : listFiles(config.contentDir),
    ])
    const files = [...own.files, ...theirs.files]
    const seen = JSON.stringify(files.map(({ path, size, changed }) => [path, size, changed.getTime()]))
    return { files, problems: [...own.problems, ...theirs.problems], seen }
  }

  async function refreshed(before: typeof current) {
    const [known, { files, problems, seen }] = await Promise.all([before, scan()])
    return known?.seen === seen ? known : read(files, problems, seen)
  }

  return {
    async library() {
      const now = clock.now().getTime()
      if (!current || Math.abs(now - checkedAt) >= checkMs) {
        checkedAt = now
        const next = refreshed(current)
        current = next
        // The next call tries again.
        next.catch(() => {
          if (current === next) current = undefined
        })
      }
      return (await current).library
    },
  }
}
