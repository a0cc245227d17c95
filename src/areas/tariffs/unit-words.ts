import { useTranslation } from 'react-i18next'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import type { AddOnName, AddOnSlot } from './lines.ts'

/** Returns the texts of a quantity and of the facts of a slot. */
export function useUnitWords(line: AddOnName) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const units = (count: number): string => t(`units.${line}`, { count, value: formatNumber(count, language) })
  return {
    units,
    /** The quantity of a slot. */
    wordsOf: (slot: AddOnSlot): string => units(slot.count ?? slot.size ?? 0),
    valueOf(fact: 'count' | 'resolution' | 'fps' | 'size', slot: AddOnSlot): string {
      if (fact === 'count') return formatNumber(slot.count ?? 0, language)
      if (fact === 'size') return units(slot.size ?? 0)
      if (fact === 'fps') return t('units.fps', { value: slot.fps })
      return slot.resolution ?? t('notReported')
    },
  }
}
