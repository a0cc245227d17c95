// Binds a handler to each operation of a group; the compiler checks them against the contract.
import { type AnyGroup, operationsOf } from '#contract/core/group.ts'
import type { Answer, Operation, ParsedInput } from '#contract/core/operation.ts'
import type { Context } from './context.ts'

/** Handler of an operation: authenticate, parse, call, present. Throws an AppError to refuse. */
export type Handler<Op extends Operation> = (
  input: ParsedInput<Op>,
  ctx: Context<Op['auth']>,
) => Promise<Answer<Op>> | Answer<Op>

/** A handler for every operation of a group. A missing or unknown one does not compile. */
export type Handlers<G> = {
  [K in keyof G as K extends string ? K : never]: G[K] extends Operation ? Handler<G[K]> : never
}

/** An operation with its handler. */
export interface Route {
  readonly op: Operation
  readonly handle: (input: never, ctx: never) => unknown
}

/**
 * Binds the handlers of a group.
 * @example export const releaseRoutes = implement(releases, { current: () => release })
 */
export function implement<G extends AnyGroup>(group: G, handlers: NoInfer<Handlers<G>>): Route[] {
  const byName = handlers as Readonly<Record<string, Route['handle']>>
  return operationsOf(group).map((op) => {
    const handle = byName[op.id.slice(op.id.lastIndexOf('.') + 1)]
    if (!handle) throw new Error(`${op.id} has no handler`)
    return { op, handle }
  })
}
