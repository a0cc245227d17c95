// PolicyPage: legal texts of the operator. The service ships none. No session is needed.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { listOf, Nothing } from '#contract/core/wire.ts'
import { Blocks, PageText } from '#contract/entities/text-tree.ts'

/** Names of policies (published). */
export const policyNames = ['refund', 'terms-of-use', 'using-cookie', 'acceptable-use', 'privacy-notice'] as const

const { title, text, date_update, language, language_iso, alt_languages } = PageText

/** A policy with its text. */
const Policy = z.object({
  file_name: z.enum(policyNames),
  title,
  text,
  date_update,
  language,
  language_iso,
  alt_languages,
  blocks: Blocks,
})
export type Policy = z.output<typeof Policy>

export const policies = group(
  'help.policies',
  { prefix: 'policy', title: 'PolicyPage' },
  {
    get: read('get', {
      name: 'Get policy page',
      input: z.object({ file_name: z.enum(policyNames) }),
      output: z.object({ success: z.boolean(), result: Policy }),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: { text: 'HTML, made from `blocks`', blocks: 'the text as a tree' },
    }),
    structure: read('structure', {
      name: 'Get policy structure',
      input: Nothing,
      output: listOf(z.object({ results: z.enum(policyNames) })),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: { results: 'names of the policies that the operator supplies' },
    }),
  },
)
