import { useTranslation } from 'react-i18next'
import type { RestreamSlot } from '#contract/entities/plan.ts'
import { Bitrate } from '#src/components/bitrate.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { differenceOf, type Fact } from './slot-facts.ts'
import styles from './slots.module.css'

interface Props {
  readonly fact: Fact
  readonly slot: RestreamSlot
  readonly neighbour: RestreamSlot | null | undefined
}

/** A fact of a slot, marked where it differs from the slot before it in time. */
export function PlanFact({ fact, slot, neighbour }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const textOf = (value: RestreamSlot[Fact]) => {
    if (value === null || value === undefined) return t('notReported')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    return fact === 'bitrate_max' ? formatBitrate(value, language).kbps : formatNumber(value, language)
  }
  const value = slot[fact]
  const way = differenceOf(fact, slot, neighbour)
  const text = way && t(`difference.${way}`, { was: textOf(neighbour?.[fact]) })
  return (
    <div className={styles.fact}>
      <dt>{t(`fact.${fact}`)}</dt>
      <dd>
        {fact === 'bitrate_max' && typeof value === 'number' ? (
          <Bitrate kbps={value} />
        ) : (
          <span className={value === null || value === undefined ? styles.none : undefined}>{textOf(value)}</span>
        )}
        {text && (
          <span className={styles.mark} data-way={way} title={text}>
            <span aria-hidden>{way === 'up' ? '↑' : '↓'}</span>
            <span className="visually-hidden">{text}</span>
          </span>
        )}
      </dd>
    </div>
  )
}
