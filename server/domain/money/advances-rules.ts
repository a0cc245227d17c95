// Rules of advances (54-FZ): the part of the paid-in balance whose receipt names no plan yet. Pure, in minor units.

/** An advance with what is left of it in the paid-in balance. */
export interface OpenAdvance {
  readonly paymentId: number
  readonly leftMinor: number
}

/** A part of an advance. */
export interface AdvancePart {
  readonly paymentId: number
  readonly amountMinor: number
}

/** A movement that takes money from the paid-in balance. */
export interface Debit {
  readonly amountMinor: number
  /** Paid-in balance after it. */
  readonly afterMinor: number
  /** Payment that it returns; its advance is returned first. */
  readonly paymentId?: number | undefined
}

/**
 * Returns the parts of advances that a movement takes. Money without an open advance goes first, so that open advances never
 * exceed the balance. Of several advances the oldest goes first.
 * @param advances oldest first
 */
export function takenAdvances(
  advances: readonly OpenAdvance[],
  { amountMinor, afterMinor, paymentId }: Debit,
): readonly AdvancePart[] {
  const own = advances.filter((one) => one.paymentId === paymentId)
  const others = advances.filter((one) => one.paymentId !== paymentId)
  const excess = sumLeft(advances) - afterMinor
  const parts: AdvancePart[] = []
  let rest = Math.min(amountMinor, Math.max(excess, sumLeft(own)))
  for (const { paymentId: id, leftMinor } of [...own, ...others]) {
    const part = Math.min(rest, leftMinor)
    if (part <= 0) continue
    parts.push({ paymentId: id, amountMinor: part })
    rest -= part
  }
  return parts
}

/** Splits parts at an amount. @returns the parts of the amount, and the rest */
export function splitParts(
  parts: readonly AdvancePart[],
  amountMinor: number,
): { readonly first: readonly AdvancePart[]; readonly rest: readonly AdvancePart[] } {
  let left = amountMinor
  const first = parts.map((part) => {
    const minor = Math.min(left, part.amountMinor)
    left -= minor
    return { ...part, amountMinor: minor }
  })
  const rest = parts.map((part, n) => ({ ...part, amountMinor: part.amountMinor - (first[n]?.amountMinor ?? 0) }))
  const some = (part: AdvancePart) => part.amountMinor > 0
  return { first: first.filter(some), rest: rest.filter(some) }
}

/** Returns the sum of parts. */
export const sumOfParts = (parts: readonly AdvancePart[]): number =>
  parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

const sumLeft = (advances: readonly OpenAdvance[]): number => advances.reduce((sum, one) => sum + one.leftMinor, 0)
