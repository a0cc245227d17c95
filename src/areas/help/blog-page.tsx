import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { blogTags } from '#contract/areas/help/blog-tags.ts'
import { q } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import { PostFacts } from './post-facts.tsx'

const size = 20

/** Posts of the operator, newest first, by tag. Needs no session. */
export function BlogPage() {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const [params, setParams] = useSearchParams()
  const tag = params.get('tag') ?? ''
  const page = pageOf(params)
  const posts = useQuery(q(blogPages.list, { tag, ...windowOf(page, size) }))
  const tags = useQuery(q(blogTags.list, { limit: 100 }))
  const feed = `${apiRuntime().baseUrl}/blog/feed.xml?language=${language}`
  const used = tags.data?.results ?? []
  const choices = [
    { value: '', label: t('blog.allTags') },
    ...used.map(({ title, count_use }) => ({ value: title, label: `${title} (${count_use})` })),
    // A link may name a tag that no post has any more.
    ...(tag === '' || used.some(({ title }) => title === tag) ? [] : [{ value: tag, label: tag }]),
  ]
  return (
    <Page title={t('blog.title')} actions={<a href={feed}>{t('blog.feed')}</a>}>
      <link rel="alternate" type="application/rss+xml" title={t('blog.title')} href={feed} />
      {choices.length > 1 && (
        <Toolbar label={t('blog.filter')}>
          <FilterField
            label={t('blog.tag')}
            value={tag}
            choices={choices}
            onChange={(value) => setParams(value === '' ? {} : { tag: value })}
          />
        </Toolbar>
      )}
      <Card>
        <QueryPart query={posts} failed={t('blog.failed')} skeleton={<Skeleton height={320} />}>
          {({ total, results }) => (
            <>
              {total === 0 && (
                <EmptyState
                  title={t('blog.empty')}
                  action={tag !== '' && <Link to={paths.blog()}>{t('blog.all')}</Link>}
                />
              )}
              <RowList label={t('blog.title')}>
                {results.map((post) => (
                  <Row
                    key={post._id}
                    title={<Link to={paths.blog(post.url)}>{post.title}</Link>}
                    about={post.short_text}
                    actions={<PostFacts post={post} />}
                  />
                ))}
              </RowList>
              <Pager
                page={page}
                size={size}
                total={total}
                to={(to) => ({ search: paramsOf({ tag, page: to }).toString() })}
              />
            </>
          )}
        </QueryPart>
      </Card>
    </Page>
  )
}
