import { Link } from 'react-router'
import { formatDate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './help.module.css'

interface Props {
  readonly post: {
    readonly date_publish: string
    readonly tags: readonly { readonly _id: string; readonly title: string }[]
  }
}

/** Date and tags of a post. */
export function PostFacts({ post: { date_publish, tags } }: Props) {
  const language = useLanguage()
  return (
    <span className={styles.facts}>
      <time dateTime={date_publish}>{formatDate(date_publish, language)}</time>
      {tags.map(({ _id, title }) => (
        <Link key={_id} to={`${paths.blog()}?${new URLSearchParams({ tag: title })}`}>
          {title}
        </Link>
      ))}
    </span>
  )
}
