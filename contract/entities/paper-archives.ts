// Papers of a month as ZIP files: of a project for its members, of the installation for operators.
import * as z from 'zod/mini'
import { DateTime } from '#contract/core/lenient.ts'

/** A ZIP file with papers of a month; a month with many papers has several. */
export const PaperArchive = z.object({
  month: z.string(),
  part: z.int(),
  parts: z.int(),
  papers: z.int(),
  url: z.string(),
})
export type PaperArchive = z.output<typeof PaperArchive>

export const PaperArchives = z.object({ results: z.array(PaperArchive), expires_at: DateTime })
export type PaperArchives = z.output<typeof PaperArchives>

export const paperArchiveNotes = {
  results: 'newest month first',
  month: 'year and month of issue (UTC), for example 2026-11',
  part: 'from 1; a file has at most 2,000 papers, in order of issue',
  papers: 'number of papers in the file, which has a PDF of each, and `papers.csv` with their facts',
  url: 'ZIP file, from the root of the service; its ticket opens this file only',
  expires_at: 'end of the tickets in the addresses',
} as const
