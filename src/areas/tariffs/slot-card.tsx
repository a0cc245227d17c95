import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamSlot } from '#contract/entities/plan.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useNow } from '#src/lib/use-now.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { PlanFact } from './plan-fact.tsx'
import { PlanName } from './plan-name.tsx'
import styles from './slots.module.css'
import { facts, type SlotName } from './slot-facts.ts'

interface Props {
  readonly name: SlotName
  readonly slot: RestreamSlot | null | undefined
  /** Previous slot, for the comparison of facts. */
  readonly neighbour?: RestreamSlot | null | undefined
  /** Plan title from the catalogue; undefined without one. */
  readonly title: string | undefined
  readonly children?: ReactNode
}

/** Card of a slot, the same for all three. Missing slots and values have a text in their place. */
export function SlotCard({ name, slot, neighbour, title, children }: Props) {
  const { t } = useTranslation('tariffs')
  const id = useId()
  return (
    <article className={styles.card} data-slot={name} data-empty={!slot || undefined} aria-labelledby={id}>
      <h3 id={id} className={styles.when}>
        {t(`slot.${name}`)}
      </h3>
      <div className={styles.box}>
        {slot ? (
          <>
            <p className={styles.plan}>
              <PlanName id={slot.id} title={title} />
            </p>
            <FactList>
              {facts.map((fact) => (
                <PlanFact key={fact} fact={fact} slot={slot} neighbour={neighbour} />
              ))}
              <SlotDate iso={slot.date_start} label="start" />
              <SlotDate iso={slot.date_end} label="end" isShown={name !== 'next' || !slot.date_start} />
            </FactList>
            {children}
          </>
        ) : (
          <p className={styles.empty}>{t('slot.empty')}</p>
        )}
      </div>
    </article>
  )
}

/** Start or end of a slot. A missing date has a text only for the end. */
function SlotDate(props: { iso: string | null | undefined; label: 'start' | 'end'; isShown?: boolean }) {
  const { iso, label, isShown = true } = props
  const { t } = useTranslation('tariffs')
  const now = useNow()
  if (!iso && (label === 'start' || !isShown)) return null
  const tense = iso && Date.parse(iso) <= now ? 'past' : 'future'
  return (
    <Fact name={t(`date.${label}.${tense}`)} isQuiet={!iso}>
      {iso ? <DateStamp iso={iso} /> : t(iso === null ? 'date.none' : 'notReported')}
    </Fact>
  )
}
