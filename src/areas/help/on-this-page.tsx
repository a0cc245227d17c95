import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './help.module.css'
import { headingsOf } from './headings.ts'

interface Props {
  readonly blocks: readonly { readonly is: string }[]
  /** Language of the text as a `lang` attribute; undefined: that of the page. */
  readonly lang: string | undefined
}

/** Fewer headings need no contents. */
const headingsMin = 3

/** Contents of a text: its headings. Beside the text where there is room, else a closed list before it. */
export function OnThisPage({ blocks, lang }: Props) {
  const { t } = useTranslation('help')
  const [isWide] = useState(() => matchMedia('(min-width: 1180px)').matches)
  const headings = headingsOf(blocks)
  if (headings.length < headingsMin) return null
  return (
    <nav aria-label={t('contents.here')}>
      <details open={isWide} className={styles.contents}>
        <summary>{t('contents.here')}</summary>
        <ul lang={lang} className={styles.places}>
          {headings.map(({ id, text }) => (
            <li key={id}>
              <Link to={{ hash: id }}>{text}</Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}
