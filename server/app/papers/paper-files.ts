// PDF files of papers, kept under DATA_DIR/papers: a PDF takes half a second of the processor.
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '#server/core/context.ts'
import { RetryLaterError } from '#server/core/errors.ts'
import { makeFolder } from '#server/core/folder.ts'
import { paperPdf } from './paper-pdf.ts'
import type { PaperView } from './paper-page.ts'

/** Part of the name of each file. Raise it with a change of `paperPdf`, so that kept files are made anew. */
const layout = 2
/** Papers that wait for their PDF. */
const waitingMax = 20
const retrySeconds = 5

export interface PaperFiles {
  /** Returns the PDF of a paper. @throws RetryLaterError 503 `TooManyPapers` when 20 of them are being made */
  get(view: PaperView): Promise<Buffer>
}

/** Creates the store of PDF files. A file is named by the hash of its content, so that another paper never has its name. */
export function createPaperFiles(
  {
    config,
    log,
  }: { readonly config: Pick<Services['config'], 'dataDir'>; readonly log: Pick<Services['log'], 'warn'> },
  make: (view: PaperView) => Promise<Buffer> = paperPdf,
): PaperFiles {
  const folder = join(config.dataDir, 'papers')
  const making = new Map<string, Promise<Buffer>>()
  /** End of the last PDF that was begun. */
  let last: Promise<unknown> = Promise.resolve()

  async function keep(path: string, pdf: Buffer): Promise<void> {
    const part = `${path}.${randomUUID()}.part`
    await makeFolder(folder)
    await writeFile(part, pdf, { mode: 0o600 })
    await rename(part, path)
  }

  async function makeNext(path: string, view: PaperView): Promise<Buffer> {
    const pdf = await make(view)
    await keep(path, pdf).catch((error: unknown) => log.warn({ err: error }, 'A PDF could not be kept'))
    return pdf
  }

  function begin(path: string, view: PaperView): Promise<Buffer> {
    if (making.size >= waitingMax) throw new RetryLaterError(503, 'TooManyPapers', retrySeconds)
    const made = last.then(() => makeNext(path, view)).finally(() => making.delete(path))
    last = made.catch(() => {})
    making.set(path, made)
    return made
  }

  return {
    async get(view) {
      const name = createHash('sha256')
        .update(JSON.stringify([layout, view]))
        .digest('hex')
      const path = join(folder, `${name}.pdf`)
      return (await readFile(path).catch(() => null)) ?? (await (making.get(path) ?? begin(path, view)))
    },
  }
}
