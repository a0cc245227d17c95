// The rule for texts in the input of every operation: what databases cannot store is refused.
import type { Violation } from './refusals.ts'

/** PostgreSQL refuses U+0000. Unpaired surrogates have no UTF-8, so a database would store another text. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Returns a violation for each text that is not storable, at any depth. @param input parsed, so that its depth is that of the contract */
export function textViolations(input: object, above = ''): Violation[] {
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const property = above + name
    if (typeof value === 'string') return isStorable(value) ? [] : [{ property, text: 'text' }]
    return typeof value === 'object' && value !== null ? textViolations(value, `${property}.`) : []
  })
}
