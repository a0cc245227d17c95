import { useTranslation } from 'react-i18next'
import type { RestreamSlot } from '#contract/entities/plan.ts'
import { Bitrate } from '#src/components/bitrate.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Fact } from '#src/ui/fact-list.tsx'
import { differenceOf, type Fact as FactName } from './slot-facts.ts'
import styles from './slots.module.css'

interface Props {
  readonly fact: FactName
  readonly slot: RestreamSlot
  readonly neighbour: RestreamSlot | null | undefined
}

/** Fact of a slot, marked when it differs from the previous slot. */
export function PlanFact({ fact, slot, neighbour }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const textOf = (value: RestreamSlot[FactName]) => {
    if (value === null || value === undefined) return t('notReported')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    return fact === 'bitrate_max' ? formatBitrate(value, language) : formatNumber(value, language)
  }
  const value = slot[fact]
  const way = differenceOf(fact, slot, neighbour)
  const text = way && t(`difference.${way}`, { was: textOf(neighbour?.[fact]) })
  return (
    <Fact name={t(`fact.${fact}`)} isQuiet={value === null || value === undefined}>
      {fact === 'bitrate_max' && typeof value === 'number' ? <Bitrate kbps={value} /> : <span>{textOf(value)}</span>}
      {text && (
        <span className={styles.mark} data-way={way} title={text}>
          <span aria-hidden>{way === 'up' ? '↑' : '↓'}</span>
          <span className="visually-hidden">{text}</span>
        </span>
      )}
    </Fact>
  )
}
