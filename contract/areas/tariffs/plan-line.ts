// The operations that every product line has, made once: slots, catalogue, discount, cancelling what is queued.
import type { Schema } from '#contract/core/operation.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, Nothing, Success } from '#contract/core/wire.ts'
import { Discount } from '#contract/entities/plan.ts'

/**
 * Operations of a product line. All of them take their parameters in the query, also POST and DELETE (published).
 * @param names the brief's names of the four operations, which differ from line to line
 * @param shapes answers of the line, and what cancelling takes beside the project
 */
export function planLine<Slots extends Schema, List extends Schema, Cancel extends Schema>(
  names: { readonly slots: string; readonly cancelNext: string; readonly list: string; readonly discount: string },
  shapes: {
    readonly slots: Slots
    readonly list: List
    readonly cancel: Cancel
    readonly slotsFrom: 'brief' | 'published'
  },
) {
  return {
    slots: read('', {
      name: names.slots,
      input: InProject,
      output: shapes.slots,
      auth: 'viewer',
      provenance: shapes.slotsFrom,
    }),
    cancelNext: write('DELETE', '', {
      name: names.cancelNext,
      input: shapes.cancel,
      output: Success,
      auth: 'owner',
      provenance: 'published',
    }),
    list: read('list', {
      name: names.list,
      input: Nothing,
      output: shapes.list,
      auth: 'none',
      provenance: 'published',
    }),
    discount: read('get_discount', {
      name: names.discount,
      input: Nothing,
      output: Discount,
      auth: 'none',
      provenance: 'published',
      notes: { month: 'percent', year: 'percent' },
    }),
  }
}
