import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import styles from './help.module.css'
import { PostFacts } from './post-facts.tsx'
import { TextPage } from './text-page.tsx'
import { TextQuery } from './text-query.tsx'

/** A post of the blog. Needs no session. */
export function PostPage() {
  const { t } = useTranslation('help')
  const { slug = '' } = useParams()
  const post = useQuery(q(blogPages.get, { url: slug }))
  const back = (
    <nav aria-label={t('article.place')} className={styles.place}>
      <Link to={paths.blog()}>{t('blog.title')}</Link>
    </nav>
  )
  return (
    <TextQuery query={post} title={t('blog.title')} failed={t('blog.failed')} unknown={t('blog.unknown')} back={back}>
      {({ results: [found] }) =>
        found ? (
          <TextPage
            title={found.title}
            language={found.language_iso}
            intro={<PostFacts post={found} />}
            blocks={found.blocks}
            before={back}
          />
        ) : (
          <Page title={t('blog.title')}>
            {back}
            <EmptyState title={t('blog.unknown')} />
          </Page>
        )
      }
    </TextQuery>
  )
}
