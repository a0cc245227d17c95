// Papers of payments (ours): receipts, invoices and credit notes.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Id, InProject } from '#contract/core/wire.ts'
import { PaperArchives, paperArchiveNotes } from '#contract/entities/paper-archives.ts'
import { Currency } from '#contract/entities/project.ts'

/** Kinds of paper. */
export const PaperKind = z.enum(['receipt', 'invoice', 'credit_note'])

/** A paper of a payment. `amount` in minor units. */
export const PaperLink = z.object({
  paper_id: z.int(),
  kind: PaperKind,
  number: z.string(),
  date: DateTime,
  amount: z.int(),
  currency: Currency,
  url: z.string(),
  pdf_url: z.string(),
})
export type PaperLink = z.output<typeof PaperLink>

export const papers = group(
  'billing.papers',
  { prefix: 'payment/paper', title: 'Payment papers' },
  {
    list: read('', {
      name: 'Get papers of a payment',
      input: z.extend(InProject, { payment_id: Id }),
      output: z.object({ results: z.array(PaperLink), expires_at: DateTime }),
      auth: 'editor',
      scope: 'billing:read',
      provenance: 'decided',
      notes: {
        number: 'without gaps in its kind and year (UTC)',
        url: 'printable page in the language of the call, from the root of the service; its ticket opens this paper only',
        pdf_url: 'the same as PDF; in English where the language is Chinese',
        expires_at: 'end of the tickets in both addresses',
        amount: 'minor units',
      },
    }),
    archives: read('archives', {
      name: 'Get archives of papers by month',
      input: InProject,
      output: PaperArchives,
      auth: 'editor',
      scope: 'billing:read',
      provenance: 'decided',
      notes: paperArchiveNotes,
    }),
  },
)
