import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { articles } from '#contract/areas/help/articles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './help.module.css'

/** Number of articles that the list shows at most: more than the handbook has. */
const shownMax = 50

/** Articles that match a query, each with the place that matches. */
export function FoundArticles({ query }: { readonly query: string }) {
  const { t } = useTranslation('help')
  const found = useQuery({ ...q(articles.search, { s: query, limit: shownMax }), placeholderData: keepPreviousData })
  return (
    <Card title={t('search.results')}>
      <QueryPart query={found} failed={t('search.failed')} skeleton={<Skeleton height={240} />}>
        {({ total, results }) => (
          <>
            <output className={styles.muted}>
              {total > 0 ? t('search.found', { count: total }) : t('search.nothing')}
            </output>
            <RowList label={t('search.results')}>
              {results.map(({ _id, url_inherit, title, snippet, anchor }) => (
                <Row
                  key={_id}
                  title={<Link to={`/help/${url_inherit}${anchor && `#${anchor}`}`}>{title}</Link>}
                  about={snippet}
                />
              ))}
            </RowList>
          </>
        )}
      </QueryPart>
    </Card>
  )
}
