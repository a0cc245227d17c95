// Operations of every product line, beside its own slots: catalogue, discount, cancelling the queued plan.
import type { Schema } from '#contract/core/operation.ts'
import { read, write } from '#contract/core/operation.ts'
import { Nothing, Success } from '#contract/core/wire.ts'
import { Discount } from '#contract/entities/plan.ts'

/**
 * Operations of a product line. All of them take their parameters in the query, also POST and DELETE (published).
 * @param names the brief's names of the three operations, which differ between lines
 * @param shapes responses of the line, and the input of cancelling beside the project
 */
export function planLine<List extends Schema, Cancel extends Schema>(
  names: { readonly cancelNext: string; readonly list: string; readonly discount: string },
  shapes: {
    readonly list: List
    readonly cancel: Cancel
  },
) {
  return {
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
