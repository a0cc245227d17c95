import type { Language } from '#contract/core/wire.ts'
import { localeOf } from './format.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a data size in the largest suitable decimal unit. */
export function formatBytes(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  return new Intl.NumberFormat(localeOf[language], {
    style: 'unit',
    unit: units[power] ?? 'byte',
    // The short form lacks the plural: "0 byte".
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}
