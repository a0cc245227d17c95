import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { health } from '#contract/areas/operator/health.ts'
import { payProviderFacts } from '#contract/entities/pay-provider-facts.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { JobsCard } from './jobs-card.tsx'
import styles from './operator.module.css'
import { useProviderName } from './payment-item.tsx'
import { ReceiptsCard } from './receipts-card.tsx'

/** Failing jobs, the ledger against its sums, payment providers, and closing receipts. */
export function HealthPart() {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const { colon, list } = usePunctuation()
  const nameOf = useProviderName()
  const query = useQuery(q(health.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('health.failed')} skeleton={<Skeleton height={280} />}>
        {({ providers, receipts, jobs, full_servers, ledger: { transactions, unbalanced, wallets, differing } }) => (
          <>
            {full_servers.length > 0 && <Note tone="warn">{t('health.full', { names: full_servers.join(list) })}</Note>}
            {jobs.length > 0 && <JobsCard jobs={jobs} />}
            <Card title={t('health.ledger')} note={t('health.ledgerText')}>
              <FactList>
                <Fact name={t('health.transactions')}>{formatNumber(transactions, language)}</Fact>
                <Fact name={t('health.wallets')}>{formatNumber(wallets, language)}</Fact>
              </FactList>
              <Note tone={unbalanced.length + differing.length === 0 ? 'ok' : 'warn'}>
                {unbalanced.length > 0 && t('health.unbalanced', { ids: unbalanced.join(list) })}{' '}
                {differing.length > 0 && t('health.differing', { ids: differing.join(list) })}
                {unbalanced.length + differing.length === 0 && t('health.fine')}
              </Note>
            </Card>
            <Card title={t('health.providers')}>
              {providers.length === 0 && <p>{t('health.noProviders')}</p>}
              <RowList label={t('health.providers')}>
                {providers.map(({ name, date_event, date_reconciled, mismatches }) => (
                  <Row
                    key={name}
                    title={nameOf(name)}
                    about={
                      name === 'invoice' ? (
                        t('health.byHand')
                      ) : (
                        <>
                          {t('health.lastMessage') + colon}
                          {date_event ? <DateStamp iso={date_event} /> : t('health.never')} ·{' '}
                          {t('health.lastReconciled') + colon}
                          {date_reconciled ? <DateStamp iso={date_reconciled} /> : t('health.never')}
                        </>
                      )
                    }
                    actions={
                      mismatches > 0 && <Badge tone="warn">{t('health.mismatches', { count: mismatches })}</Badge>
                    }
                  />
                ))}
              </RowList>
            </Card>
            {providers.some(({ name }) => payProviderFacts(name)?.sendsReceipts) && (
              <ReceiptsCard receipts={receipts} />
            )}
          </>
        )}
      </QueryPart>
    </div>
  )
}
