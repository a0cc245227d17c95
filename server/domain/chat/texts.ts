// Texts of messages: what databases and pages cannot show is removed, and what search compares is folded.
import { foldText } from '#contract/core/fold.ts'

/** Control characters but line breaks, and controls of the writing direction. */
const unsafe = /(?!\n)[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu

/** Removes control characters, controls of the writing direction, and unpaired surrogates. */
export const plain = (text: string): string => text.toWellFormed().replaceAll(unsafe, '')

/** Removes from a value what PostgreSQL refuses in text: U+0000 and unpaired surrogates, in all strings. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return plain(value) as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, storable(inner)])) as T
}

/** Returns a text for search, independent of case. */
export const folded = (...texts: readonly string[]): string => foldText(texts.join('\n'))
