import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { policies } from '#contract/areas/help/policies.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { Card, Cards } from '#src/ui/card.tsx'
import styles from './help.module.css'

/** Blog and policies of the operator. Renders nothing where the operator supplies none. */
export function OtherTexts() {
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
