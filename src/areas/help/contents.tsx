import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { articles } from '#contract/areas/help/articles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card, Cards } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './help.module.css'
import { titleIn } from './texts.ts'

/** Sections of the handbook with their articles; one of them where the address names it. */
export function Contents() {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const { section } = useParams()
  const structure = useQuery(q(articles.structure, {}))
  return (
    <QueryPart query={structure} failed={t('contents.failed')} skeleton={<Skeleton height={480} />}>
      {({ result }) => {
        const shown = result.filter(({ url }) => section === undefined || section === url)
        return (
          <>
            {section !== undefined && shown.length > 0 && (
              <nav aria-label={t('article.place')} className={styles.place}>
                <Link to={paths.help()}>{t('contents.all')}</Link>
              </nav>
            )}
            {shown.length === 0 && (
              <EmptyState title={t('contents.unknown')} action={<Link to={paths.help()}>{t('contents.all')}</Link>} />
            )}
            <Cards>
              {shown.map(({ url, title, connections = [] }) => (
                <Card key={url} title={titleIn(title, language)}>
                  <ul className={styles.links}>
                    {connections.map((article) => (
                      <li key={article.url_inherit}>
                        <Link to={`/help/${article.url_inherit}`}>{titleIn(article.title, language)}</Link>
                      </li>
                    ))}
                  </ul>
                </Card>
              ))}
            </Cards>
          </>
        )
      }}
    </QueryPart>
  )
}
