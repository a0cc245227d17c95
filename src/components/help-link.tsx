import { IconHelpCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Article } from '#src/lib/articles.ts'
import { paths } from '#src/lib/paths.ts'
import styles from './help-link.module.css'

interface Props {
  readonly article: Article
  /** Place in the article: id of a heading, or a code that begins a list item. */
  readonly anchor?: string | undefined
}

/** Link to the article of the handbook that answers the question of this place, by its title. */
export function HelpLink({ article, anchor }: Props) {
  const { t } = useTranslation('help-links')
  const [section, slug] = article.split('/')
  return (
    <Link to={paths.help(article, anchor)} className={styles.link}>
      <IconHelpCircle size={16} aria-hidden />
      {t(`${section}.${slug}`)}
    </Link>
  )
}
