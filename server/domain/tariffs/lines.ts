// Product lines by name.
import type { LineName } from '#contract/entities/plan.ts'
import type { StorageAllowance, TranscodingAllowance } from './add-on-rules.ts'
import type { Line } from './line.ts'
import { restreamLine } from './line-restream.ts'
import { storageLine } from './line-storage.ts'
import { transcodingLine } from './line-transcoding.ts'
import type { Allowance } from './subscriptions-slots.ts'

/** Allowances of the plans of each line. */
export interface Allowances {
  readonly restream: Allowance
  readonly transcoding: TranscodingAllowance
  readonly storage: StorageAllowance
}

const lines: { readonly [L in LineName]: Line<Allowances[L]> } = {
  restream: restreamLine,
  transcoding: transcodingLine,
  storage: storageLine,
}

/** Returns the descriptor of a line. */
export const lineOf = <L extends LineName>(name: L): Line<Allowances[L]> => lines[name]
