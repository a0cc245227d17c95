import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { articles } from '#contract/areas/help/articles.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './help.module.css'
import { TextPage } from './text-page.tsx'
import { TextQuery } from './text-query.tsx'
import { titleIn } from './texts.ts'

/** An article of the handbook, with the links to its section and its neighbours. Needs no session. */
export function ArticlePage() {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const { section = '', slug = '' } = useParams()
  const path = `${section}/${slug}`
  const article = useQuery(q(articles.get, { url: path }))
  const structure = useQuery(q(articles.structure, {}))
  const sections = structure.data?.result ?? []
  const sectionId = useId()
  const inSection = sections.find(({ url }) => url === section)
  const all = sections.flatMap(({ connections = [] }) => connections)
  const at = all.findIndex(({ url_inherit }) => url_inherit === path)
  const [previous, next] = at < 0 ? [] : [all[at - 1], all[at + 1]]
  return (
    <TextQuery
      query={article}
      title={t('title')}
      failed={t('article.failed')}
      unknown={t('article.unknown')}
      back={<Link to={paths.help()}>{t('contents.all')}</Link>}
    >
      {({ result }) => (
        <TextPage
          key={path}
          title={result.title}
          language={result.language_iso}
          blocks={result.blocks}
          before={
            <nav aria-label={t('article.place')} className={styles.place}>
              <Link to={paths.help()}>{t('title')}</Link>
              {inSection && (
                <>
                  <span aria-hidden>›</span>
                  <Link to={`/help/${section}`}>{titleIn(inSection.title, language)}</Link>
                </>
              )}
            </nav>
          }
          beside={
            inSection && (
              <nav aria-labelledby={sectionId}>
                <h2 id={sectionId} className={styles.sideTitle}>
                  {titleIn(inSection.title, language)}
                </h2>
                <ul className={styles.places}>
                  {inSection.connections?.map(({ url_inherit, title }) => (
                    <li key={url_inherit}>
                      <Link to={`/help/${url_inherit}`} aria-current={url_inherit === path ? 'page' : undefined}>
                        {titleIn(title, language)}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            )
          }
          after={
            <nav aria-label={t('article.neighbours')} className={styles.neighbours}>
              {previous && (
                <Link to={`/help/${previous.url_inherit}`} rel="prev">
                  {t('article.previous', { title: titleIn(previous.title, language) })}
                </Link>
              )}
              {next && (
                <Link to={`/help/${next.url_inherit}`} rel="next">
                  {t('article.next', { title: titleIn(next.title, language) })}
                </Link>
              )}
            </nav>
          }
        />
      )}
    </TextQuery>
  )
}
