import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { formatDate } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useNow } from '#src/lib/use-now.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import styles from './slots.module.css'
import type { SlotName } from './slot-facts.ts'

interface Props {
  readonly name: SlotName
  readonly slot:
    | {
        readonly id?: number | undefined
        readonly date_start?: string | null | undefined
        readonly date_end?: string | null | undefined
      }
    | null
    | undefined
  /** Facts of the plan, as `Fact`s. */
  readonly facts: ReactNode
  /** The plan in one line, for low cards on narrow screens. */
  readonly line?: string | undefined
  /** Plan title from the catalogue; undefined without one. */
  readonly title: string | undefined
  readonly children?: ReactNode
}

/** Card of a slot, the same for all three. Missing slots and values have a text in their place. */
export function SlotCard({ name, slot, facts, line, title, children }: Props) {
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
            {line !== undefined && (
              <p className={styles.oneLine}>
                {line} <SlotEnd iso={slot.date_end} />
              </p>
            )}
            <p className={styles.plan}>
              <PlanName id={slot.id} title={title} />
            </p>
            <FactList>
              {facts}
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

/** End of a slot as a date; nothing for a plan without an end. */
function SlotEnd({ iso }: { iso: string | null | undefined }) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const now = useNow()
  if (!iso) return null
  return `· ${t(`date.end.${Date.parse(iso) <= now ? 'past' : 'future'}`)} ${formatDate(iso, language)}`
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

/** Plan title; its id without a catalogue. */
function PlanName({ id, title }: { id: number | undefined; title: string | undefined }) {
  const { t } = useTranslation('tariffs')
  if (id === undefined) return <span className={styles.none}>{t('plan.unnamed')}</span>
  if (title === undefined) return t('plan.byId', { id })
  return title
}
