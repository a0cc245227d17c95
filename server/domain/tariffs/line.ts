// Descriptor of a product line, which the engine of plans is made for. Descriptors are in line-*.ts, their table in lines.ts.
import type { LineName } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { Range, Titles, Wanted } from './catalog-rules.ts'
import type { MoneyFlow } from '#server/domain/money/accounts.ts'
import type { Sold } from './subscriptions-slots.ts'

/** A plan of a catalogue, as far as all lines share it. */
export interface LinePlan {
  readonly id: number
  readonly title: string
  /** Names in the languages that have one of their own. */
  readonly titles?: Titles
  readonly type: string
  /** False: archived. Sold to no other project; a project continues, prolongs and renews the one that runs. */
  readonly active: boolean
  /** Position in the catalogue, smallest first. */
  readonly index: number
}

/** A product line. `A`: what a plan of the line gives, `P`: its plans. */
export interface Line<A extends Sold = Sold, P extends LinePlan = LinePlan> {
  readonly name: LineName
  /** Movement of a purchase in the ledger. */
  readonly buys: MoneyFlow
  /** Name of the plan's id on the wire. */
  readonly planKey: `plan_${LineName}_id`
  /** Returns the plans that a project may see, in the order of the catalogue. */
  plans(db: ReadDb, projectId: number): Promise<readonly P[]>
  /** Returns a plan, listed or not. */
  plan(db: ReadDb, id: number): Promise<P>
  /** Returns what a project has without a bought plan. */
  base(db: ReadDb): Promise<A>
  /** Returns what every project has while plans do not apply. */
  everything(db: ReadDb): Promise<A>
  /**
   * Returns the setting of a purchase.
   * @param running allowance of the project now: the default for omitted quantities, if it is the same plan
   * @returns the setting, or the name of the wrong quantity with its allowed values
   */
  configure(
    plan: P,
    wanted: Wanted,
    running: A,
  ): { readonly setting: A } | { readonly wrong: keyof Wanted; readonly allowed: Range }
  /** Returns the price of a setting for one month before discounts, minor units; null when it is not for sale. */
  monthly(plan: P, setting: A, currency: Currency): number | null
  /** Returns quantities that order settings of the same price. */
  order(setting: A): readonly number[]
  /** Returns the larger of two allowances in each respect. */
  larger(a: A, b: A): A
}
