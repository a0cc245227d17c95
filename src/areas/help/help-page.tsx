import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { Page } from '#src/ui/page.tsx'
import { SearchField } from '#src/ui/toolbar.tsx'
import styles from './help.module.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { articles } from '#contract/areas/help/articles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card, Cards } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { policies } from '#contract/areas/help/policies.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { titleIn } from './texts.ts'
import { releases } from '#contract/areas/help/releases.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { formatDate } from '#src/lib/format.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'

// Global keyboard shortcuts. Shortcuts of a single control are documented beside that control.

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Name of each shortcut (`help:keys.<name>`) and its keys as labelled on the user's platform. */
const shortcuts = (): { name: string; keys: string[] }[] => [
  { name: 'palette', keys: [isApple() ? '⌘' : 'Ctrl', 'K'] },
  { name: 'move', keys: ['↑', '↓'] },
  { name: 'choose', keys: ['Enter'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'skip', keys: ['Tab'] },
]

/** Keyboard shortcuts, API and version. */
function HelpCards() {
  const { t } = useTranslation('help')
  return (
    <Cards>
      <Card title={t('keys.title')}>
        <FactList>
          {shortcuts().map(({ name, keys }) => (
            <Fact key={name} name={t(`keys.${name}`)}>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </Fact>
          ))}
        </FactList>
      </Card>
      <Card title={t('api.title')}>
        <p>{t('api.text')}</p>
        <ul className={styles.links}>
          <li>
            <Link to={paths.reference()}>{t('api.reference')}</Link>
          </li>
          <li>
            <Link to={paths.account('sessions')}>{t('api.script')}</Link>
          </li>
          <li>
            <a href={`${apiRuntime().baseUrl}/openapi.json`}>{t('api.openapi')}</a>
          </li>
        </ul>
      </Card>
      <Card title={t('release.title')}>
        <Release />
      </Card>
    </Cards>
  )
}

function Release() {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const release = useQuery(q(releases.current, {}))
  return (
    <QueryPart query={release} failed={t('release.failed')} skeleton={<Skeleton height={114} />}>
      {({ version, date }) => (
        <FactList>
          <Fact name={t('release.version')}>{version}</Fact>
          <Fact name={t('release.date')}>
            {Number.isNaN(Date.parse(date)) ? date : <time dateTime={date}>{formatDate(date, language)}</time>}
          </Fact>
        </FactList>
      )}
    </QueryPart>
  )
}

/** Number of articles that the list shows at most: more than the handbook has. */
const shownMax = 50

/** Articles that match a query, each with the place that matches. */
function FoundArticles({ query }: { readonly query: string }) {
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

/** Help: the handbook with its search, keyboard shortcuts, API, version, blog and policies. Needs no session. */
export function HelpPage() {
  const { t } = useTranslation('help')
  const [params, setParams] = useSearchParams()
  const fromUrl = params.get('s') ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  // The URL lags behind typing; keep the input until both match.
  if (typed !== null && typed === fromUrl) setTyped(null)
  const text = typed ?? fromUrl
  const query = useDeferredValue(text.trim())

  const handleSearch = (value: string) => {
    setTyped(value)
    setParams(value === '' ? {} : { s: value }, { replace: true, preventScrollReset: true })
  }

  return (
    <Page title={t('title')} intro={t('intro')}>
      <div role="search" className={styles.search}>
        <SearchField label={t('search.label')} maxLength={255} value={text} onChange={handleSearch} />
      </div>
      {query === '' ? <Contents /> : <FoundArticles query={query} />}
      <HelpCards />
      <OtherTexts />
    </Page>
  )
}

/** Blog and policies of the operator. Renders nothing where the operator supplies none. */
function OtherTexts() {
  const { t } = useTranslation('help')
  const posts = useQuery(q(blogPages.list, { limit: 3 })).data?.results ?? []
  const names = useQuery(q(policies.structure, {})).data?.results ?? []
  if (posts.length === 0 && names.length === 0) return null
  return (
    <Cards>
      {posts.length > 0 && (
        <Card title={t('blog.title')} actions={<Link to={paths.blog()}>{t('blog.all')}</Link>}>
          <ul className={styles.links}>
            {posts.map(({ _id, url, title }) => (
              <li key={_id}>
                <Link to={paths.blog(url)}>{title}</Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {names.length > 0 && (
        <Card title={t('policies.title')}>
          <ul className={styles.links}>
            {names.map(({ results: name }) => (
              <li key={name}>
                <Link to={paths.policy(name)}>{t(`policies.names.${name}`)}</Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Cards>
  )
}

/** Placeholder of the sections that the handbook has. */
const SectionsSkeleton = () => (
  <Cards>
    {Array.from({ length: 9 }, (_, at) => (
      <Skeleton key={at} height={210} />
    ))}
  </Cards>
)

/** Sections of the handbook with their articles; one of them where the address names it. */
function Contents() {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const { section } = useParams()
  const structure = useQuery(q(articles.structure, {}))
  return (
    <QueryPart query={structure} failed={t('contents.failed')} skeleton={<SectionsSkeleton />}>
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
