import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useHasPayments } from '#src/components/use-has-payments.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { slotNames } from './slot-facts.ts'
import { SlotsSkeleton } from './slots-skeleton.tsx'
import styles from './slots.module.css'

/** Slots of a project while plans do not apply: everything is included, and nothing is for sale. */
export function EverythingPart({ projectId }: { projectId: number }) {
  const { t } = useTranslation('tariffs')
  const id = useId()
  const { isOperator } = useInstallation()
  const hasPayments = useHasPayments(projectId, true)
  const slots = useQuery(q(restream.slots, { project_id: projectId }))
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{t('slots.title')}</h2>
      <QueryPart query={slots} failed={t('slots.failed')} skeleton={<SlotsSkeleton />}>
        {(data) => (
          <div className={styles.slots}>
            {slotNames.map((name) => (
              <EverythingCard key={name} name={name} isFilled={Boolean(data[name])} />
            ))}
          </div>
        )}
      </QueryPart>
      {hasPayments && (
        <p>
          <Link to={paths.billing(projectId, 'history')}>{t('everything.toPayments')}</Link>
        </p>
      )}
      {isOperator === true && (
        <p className={styles.operator}>
          {t('everything.operator')} <Link to={paths.operator('general')}>{t('everything.toOperator')}</Link>
        </p>
      )}
    </section>
  )
}

function EverythingCard({ name, isFilled }: { name: (typeof slotNames)[number]; isFilled: boolean }) {
  const { t } = useTranslation('tariffs')
  const id = useId()
  return (
    <article className={styles.card} data-slot={name} data-empty={!isFilled || undefined} aria-labelledby={id}>
      <h3 id={id} className={styles.when}>
        {t(`slot.${name}`)}
      </h3>
      <div className={styles.box}>
        {isFilled ? (
          <>
            <p className={styles.plan}>{t('everything.title')}</p>
            <FactList>
              <Fact name={t('fact.channel_max')}>{t('everything.unlimited')}</Fact>
              <Fact name={t('fact.bitrate_max')}>{t('everything.unlimited')}</Fact>
              <Fact name={t('fact.support_custom_channel')}>{t('yes')}</Fact>
              <Fact name={t('date.end.future')} isQuiet>
                {t('date.none')}
              </Fact>
            </FactList>
          </>
        ) : (
          <p className={styles.empty}>{t('slot.empty')}</p>
        )}
      </div>
    </article>
  )
}
