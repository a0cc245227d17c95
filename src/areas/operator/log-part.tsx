import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { customers } from '#contract/areas/operator/customers.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { PagedList } from '#src/components/paged-list.tsx'
import { usePageView } from '#src/components/use-list-view.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { changesOf, type LogChange, nameOf } from './log-changes.ts'
import styles from './operator.module.css'

const size = 20

/** Changes by operators, newest first. */
export function LogPart() {
  const { t, i18n } = useTranslation('operator')
  const { view, to } = usePageView()
  const log = useQuery({ ...q(customers.log, windowOf(view.page, size)), placeholderData: keepPreviousData })
  const actionOf = (action: string) =>
    i18n.exists(`operator:log.action.${action}`) ? t(`log.action.${action}`) : action
  return (
    <Card>
      <PagedList
        query={log}
        failed={t('log.failed')}
        height={360}
        page={view.page}
        size={size}
        to={to}
        empty={<EmptyState title={t('log.none')} />}
      >
        {(rows) => (
          <RowList label={t('log.title')}>
            {rows.map((entry) => (
              <Row
                key={entry.id}
                title={[actionOf(entry.action), nameOf(entry), entry.project].filter(Boolean).join(' · ')}
                about={
                  <>
                    {entry.user ?? t('log.terminal')} · {entry.reason} · <DateStamp iso={entry.date_create} />
                  </>
                }
              >
                <Changes changes={changesOf(entry)} />
              </Row>
            ))}
          </RowList>
        )}
      </PagedList>
    </Card>
  )
}

/** Changed fields of an entry; nothing where none changed. */
function Changes({ changes }: { readonly changes: readonly LogChange[] }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  if (changes.length === 0) return null
  return (
    <details className={styles.quiet}>
      <summary>{t('log.details')}</summary>
      <ul className={styles.changes} aria-label={t('log.details')}>
        {changes.map(({ field, before, after }) => (
          <li key={field}>
            {field !== '' && (
              <>
                <code>{field}</code>
                {colon}
              </>
            )}
            <code>{before ?? '–'}</code> → <code>{after ?? '–'}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}
