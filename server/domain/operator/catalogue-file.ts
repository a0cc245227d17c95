// Catalogues of all lines as a JSON file, for the terminal.
import * as z from 'zod/mini'
import { byPeriod, type LineName, lineNames } from '#contract/entities/plan.ts'
import { planFields } from '#contract/entities/plan-fields.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { getDiscounts } from '#server/domain/tariffs/store.ts'
import { fieldsOf, valuesOf } from './plan-rules.ts'
import { isBuiltIn, savePlan, setDiscounts } from './plans.ts'
import { listCatalogue } from './plans-store.ts'

const percent = z.int().check(z.minimum(0), z.maximum(100))
const fileOf = <L extends LineName>(line: L) =>
  z.object({
    // A file of an earlier release has no discount of a later period.
    discounts: z.object(byPeriod(() => z._default(percent, 0))),
    plans: z.array(z.extend(planFields[line], { id: z.optional(z.int()) })),
  })

/** Content of the file. A plan without an `id` is new. */
const CatalogueFile = z.partial(
  z.object({ restream: fileOf('restream'), transcoding: fileOf('transcoding'), storage: fileOf('storage') }),
)

/** Returns the content of the file. */
export async function exportCatalogue(db: Db): Promise<Readonly<Record<string, unknown>>> {
  const content: Record<string, unknown> = {}
  for (const line of lineNames) {
    const rows = (await listCatalogue(db, line)).filter(({ id }) => !isBuiltIn(line, id))
    const plans = rows.map((row) => ({ id: row.id, ...fieldsOf(line, row) }))
    content[line] = { discounts: { ...(await getDiscounts(db, line)) }, plans }
  }
  return content
}

/**
 * Saves the plans and discounts of a file. Lines and plans that the file does not have stay.
 * @returns number of saved plans
 * @throws RuleError `CatalogueInvalid` with the path of the first wrong value, and the errors of `savePlan`
 */
export async function importCatalogue(
  services: Pick<Services, 'db' | 'clock' | 'caches'>,
  content: unknown,
): Promise<number> {
  const read = CatalogueFile.safeParse(content)
  if (!read.success) {
    const [issue] = read.error.issues
    const path = (issue?.path ?? []).join('.')
    throw new RuleError(path === '' ? 'CatalogueInvalid_file' : 'CatalogueInvalid', { path })
  }
  const reason = 'catalogue import'
  let saved = 0
  for (const line of lineNames) {
    const part = read.data[line]
    if (!part) continue
    for (const { id, ...fields } of part.plans) {
      await savePlan(services, null, { line, id: id ?? null, values: valuesOf(fields), reason })
      saved++
    }
    await setDiscounts(services, null, line, part.discounts, reason)
  }
  return saved
}
