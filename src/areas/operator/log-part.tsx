import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { customers } from '#contract/areas/operator/customers.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'

const size = 20

/** Changes by operators, newest first. */
export function LogPart() {
  const { t, i18n } = useTranslation('operator')
  const [params] = useSearchParams()
  const page = Math.max(1, Number(params.get('page')) || 1)
  const log = useQuery({
    ...q(customers.log, { limit: size, offset: (page - 1) * size }),
    placeholderData: keepPreviousData,
  })
  const actionOf = (action: string) =>
    i18n.exists(`operator:log.action.${action}`) ? t(`log.action.${action}`) : action
  return (
    <Card>
      <QueryPart query={log} failed={t('log.failed')} skeleton={<Skeleton height={360} />}>
        {({ results, total }) => (
          <>
            {results.length === 0 && <EmptyState title={t('log.none')} />}
            <RowList label={t('log.title')}>
              {results.map((entry) => (
                <Row
                  key={entry.id}
                  title={[actionOf(entry.action), entry.project].filter(Boolean).join(' · ')}
                  about={
                    <>
                      {entry.user ?? t('log.terminal')} · <DateStamp iso={entry.date_create} /> · {entry.reason}
                    </>
                  }
                >
                  {(entry.before ?? entry.after) !== null && (
                    <details className={styles.quiet}>
                      <summary>{t('log.details')}</summary>
                      <p>
                        <code>{entry.before ?? '–'}</code> → <code>{entry.after ?? '–'}</code>
                      </p>
                    </details>
                  )}
                </Row>
              ))}
            </RowList>
            <Pager page={page} size={size} total={total} to={(to) => ({ search: `?page=${to}` })} />
          </>
        )}
      </QueryPart>
    </Card>
  )
}
