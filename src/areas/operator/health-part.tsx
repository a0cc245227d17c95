import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { health } from '#contract/areas/operator/health.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatList, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'

/** Payment providers, and the ledger against its sums. */
export function HealthPart() {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const query = useQuery(q(health.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('health.failed')} skeleton={<Skeleton height={280} />}>
        {({ providers, ledger: { transactions, unbalanced, wallets, differing } }) => (
          <>
            <Card title={t('health.ledger')} note={t('health.ledgerText')}>
              <FactList>
                <Fact name={t('health.transactions')}>{formatNumber(transactions, language)}</Fact>
                <Fact name={t('health.wallets')}>{formatNumber(wallets, language)}</Fact>
              </FactList>
              <Note tone={unbalanced.length + differing.length === 0 ? 'ok' : 'warn'}>
                {unbalanced.length > 0 && t('health.unbalanced', { ids: unbalanced.join(', ') })}{' '}
                {differing.length > 0 && t('health.differing', { ids: differing.join(', ') })}
                {unbalanced.length + differing.length === 0 && t('health.fine')}
              </Note>
            </Card>
            <Card title={t('health.providers')}>
              <p>
                {providers.length === 0
                  ? t('health.noProviders')
                  : formatList(
                      providers.map(({ name }) => name),
                      language,
                    )}
              </p>
            </Card>
          </>
        )}
      </QueryPart>
    </div>
  )
}
