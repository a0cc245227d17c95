import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryPart } from '#src/components/query-part.tsx'
import { AddOnCatalogue } from './add-on-catalogue.tsx'
import { useAddOn } from './add-on-queries.ts'
import { AddOnSlots } from './add-on-slots.tsx'
import { AddOnSkeleton } from './add-on-skeleton.tsx'
import { type Done, DoneNote } from './done-note.tsx'
import { type AddOnName, addOns } from './lines.ts'
import styles from './slots.module.css'
import { SlotsSkeleton } from './slots-skeleton.tsx'

/** Plans of a line that is bought in addition to restream: slots, then the catalogue. */
export function AddOnLine({ projectId, line }: { projectId: number; line: AddOnName }) {
  const { t } = useTranslation('tariffs')
  const id = useId()
  const { slots, list, known, plans, discount, startOfCurrent } = useAddOn(projectId, line)
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
      {done && <DoneNote done={done} onClose={() => setDone(null)} />}
    </>
  )
}
