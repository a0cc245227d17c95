import { useDeferredValue, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryPart } from '#src/components/query-part.tsx'
import { Catalogue, CatalogueSkeleton } from './catalogue/catalogue.tsx'
import { type Done, DoneNote } from './quote/done-note.tsx'
import { OtherLines } from './add-ons/other-lines.tsx'
import { useRestream } from './queries.ts'
import styles from './slots/slots.module.css'
import { SlotsPart } from './slots/slots-part.tsx'
import { SlotsSkeleton } from './slots/slots-skeleton.tsx'

/** Restream plans of a project: previous, current and next slot, and the catalogue. */
export function RestreamLine({ projectId }: { projectId: number }) {
  const { t } = useTranslation('tariffs')
  const id = useId()
  const { slots, offers, known } = useRestream(projectId)
  // Rendered below the slots, whose height is unknown before, and the large catalogue in slices.
  const isTime = useDeferredValue(!slots.isPending)
  const [done, setDone] = useState<Done | null>(null)
  return (
    <>
      <section className={styles.part} aria-labelledby={`${id}-slots`} aria-busy={slots.isPending}>
        <h2 id={`${id}-slots`}>{t('slots.title')}</h2>
        <QueryPart query={slots} failed={t('slots.failed')} skeleton={<SlotsSkeleton />}>
          {(data) => (
            <SlotsPart
              slots={data}
              known={known}
              onCancelled={(text) => setDone({ title: t('done.cancelled'), text })}
            />
          )}
        </QueryPart>
        {isTime && <OtherLines projectId={projectId} />}
      </section>
      {isTime && (
        <section className={styles.part} aria-labelledby={`${id}-plans`} aria-busy={offers.isPending}>
          <h2 id={`${id}-plans`}>{t('catalogue.title')}</h2>
          <QueryPart query={offers} failed={t('catalogue.failed')} skeleton={<CatalogueSkeleton />}>
            {({ results }) => (
              <Catalogue
                offers={results}
                slots={slots.data}
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
