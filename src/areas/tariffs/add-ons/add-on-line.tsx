import type { AddOnName } from '#src/components/plan-cards/add-on-card.tsx'
import { useDeferredValue, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryPart } from '#src/components/query-part.tsx'
import { AddOnCatalogue } from './add-on-catalogue.tsx'
import { useAddOn } from './add-on-queries.ts'
import { AddOnSlots } from './add-on-slots.tsx'
import { type Done, DoneNote } from '#src/areas/tariffs/quote/done-note.tsx'
import { addOns } from '#src/areas/tariffs/lines.ts'
import styles from '#src/areas/tariffs/slots/slots.module.css'
import { SlotsSkeleton } from '#src/areas/tariffs/slots/slots-skeleton.tsx'
import cardStyles from '#src/components/plan-cards/add-ons.module.css'

/** Plans of a line that is bought in addition to restream: slots, then the catalogue. */
export function AddOnLine({ projectId, line }: { projectId: number; line: AddOnName }) {
  const { t } = useTranslation('tariffs')
  const id = useId()
  const { slots, list, known, plans, discount, startOfCurrent } = useAddOn(projectId, line)
  // After the slots, whose height is unknown before.
  const isTime = useDeferredValue(!slots.isPending)
  const [done, setDone] = useState<Done | null>(null)
  return (
    <>
      <section className={styles.part} aria-labelledby={`${id}-slots`} aria-busy={slots.isPending}>
        <h2 id={`${id}-slots`}>{t(`addOn.${line}.title`)}</h2>
        <QueryPart
          query={slots}
          failed={t('slots.failed')}
          skeleton={<SlotsSkeleton facts={addOns[line].facts.length} isLow />}
        >
          {(data) => (
            <AddOnSlots
              line={line}
              slots={data}
              start={startOfCurrent}
              known={known}
              onCancelled={(text) => setDone({ title: t('done.cancelled'), text })}
            />
          )}
        </QueryPart>
      </section>
      {isTime && (
        <section className={styles.part} aria-labelledby={`${id}-plans`} aria-busy={list.isPending}>
          <h2 id={`${id}-plans`}>{t('catalogue.title')}</h2>
          <QueryPart query={list} failed={t('catalogue.failed')} skeleton={<AddOnSkeleton line={line} />}>
            {() => (
              <AddOnCatalogue
                line={line}
                plans={plans ?? []}
                current={slots.data?.current ?? null}
                discount={discount}
                known={known}
                onBought={(text) => setDone(text === null ? null : { title: t('done.bought'), text })}
              />
            )}
          </QueryPart>
        </section>
      )}
      {done && <DoneNote done={done} onClose={() => setDone(null)} />}
    </>
  )
}

/** Usual number of plans. */
const cards = { transcoding: 4, storage: 1 } as const

/** Placeholder of an add-on catalogue with boxes of the same size. */
function AddOnSkeleton({ line }: { line: AddOnName }) {
  return (
    <div className={cardStyles.cards} data-line={line} data-waiting aria-hidden>
      {Array.from({ length: cards[line] }, (_, card) => (
        <div key={card} className={cardStyles.card} />
      ))}
    </div>
  )
}
