// ZIP file of papers: a PDF of each, made while the file is sent, and a table of their facts.
import { setTimeout as wait } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { toCsv } from '#contract/core/csv.ts'
import type { Language } from '#contract/core/wire.ts'
import { RetryLaterError } from '#server/core/errors.ts'
import { decimalOf } from '#server/domain/money/decimal.ts'
import type { ArchivedPaper } from '#server/domain/billing/papers/archives.ts'
import type { PaperFiles } from './paper-files.ts'
import { paperView } from './paper-page.ts'

/** Papers between two checks of the right to read them. */
const checkEach = 50

interface Options {
  readonly files: PaperFiles
  /** The PDF is in English where it is Chinese: its font has no Chinese characters. */
  readonly language: Language
  /** Ends the file with an error when it becomes false. */
  readonly mayContinue: () => Promise<boolean>
}

/**
 * Makes the ZIP file. A PDF is made when the reader has taken the one before, so that a slow reader holds one in memory.
 * @returns a stream that fails when a PDF cannot be made, or the right to read ends
 */
export async function paperArchive(
  papers: readonly ArchivedPaper[],
  { files, language, mayContinue }: Options,
): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  // Its reader may not listen yet, or no longer.
  output.on('error', () => {})
  zip.addBuffer(Buffer.from(tableOf(papers)), 'papers.csv')
  for (const [at, paper] of papers.entries())
    zip.addReadStreamLazy(`${paper.number}.pdf`, { mtime: new Date(paper.date), compress: false }, (done) => {
      pdfOf(at, paper).then(
        (pdf) => done(null, Readable.from([pdf], { objectMode: false })),
        (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    })
  zip.end()
  return output

  async function pdfOf(at: number, paper: ArchivedPaper): Promise<Buffer> {
    if (at % checkEach === 0 && !(await mayContinue())) throw new Error('The right to read papers has ended')
    const view = paperView(paper, language === 'cn' ? 'en' : language)
    for (;;)
      try {
        return await files.get(view)
      } catch (error) {
        // Single papers are being made: an archive has time.
        if (!(error instanceof RetryLaterError) || output.destroyed) throw error
        await wait(error.retryAfterSeconds * 1_000, undefined, { ref: false })
      }
  }
}

const columns: Readonly<Record<string, (paper: ArchivedPaper) => string | number | null>> = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  date: ({ date }) => date,
  corrects: ({ corrects }) => corrects,
  project_id: ({ projectId }) => projectId,
  buyer: ({ buyer }) => buyer.name,
  buyer_country: ({ buyer }) => buyer.country,
  buyer_tax_id: ({ buyer }) => buyer.taxId,
  items: ({ items }) => items.map(({ what, title }) => (title === null ? what : `${what} ${title}`)).join('; '),
  provider: ({ provider }) => provider,
  currency: ({ currency }) => currency.toUpperCase(),
  total: ({ totalMinor }) => decimalOf(totalMinor),
  tax: ({ tax }) => tax && decimalOf(tax.amountMinor),
  tax_percent: ({ tax }) => tax && decimalOf(tax.percentHundredths),
  reverse_charge: ({ reverseCharge }) => (reverseCharge ? 'yes' : ''),
}

/** Facts of the papers as CSV. */
function tableOf(papers: readonly ArchivedPaper[]): string {
  const cells = Object.values(columns)
  const rows = papers.map((paper) => cells.map((of) => of(paper)))
  return toCsv(Object.keys(columns), rows)
}
