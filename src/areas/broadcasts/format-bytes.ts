import type { Language } from '#contract/core/wire.ts'
import { localeOf } from '#src/lib/format.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** An amount of data in the largest unit that still says something, by thousands. */
export function formatBytes(bytes: number, language: Language): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  return new Intl.NumberFormat(localeOf[language], {
    style: 'unit',
    unit: units[power] ?? 'byte',
    // The short form is in the singular: "0 byte".
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power)
}
