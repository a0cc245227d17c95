import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { Language } from '#contract/core/wire.ts'
import { TextTree } from '#src/components/text-tree.tsx'
import { intlTag } from '#src/lib/i18n.ts'
import { usePageTitle } from '#src/lib/use-document-title.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'
import { Page } from '#src/ui/page.tsx'
import styles from './help.module.css'
import type { Block, Inline } from '#contract/entities/text-tree.ts'

// Headings of a text, for its contents.

/** Returns the headings of the first level with their ids, as plain text. Unknown blocks are skipped. */
const headingsOf = (blocks: readonly { readonly is: string }[]): { readonly id: string; readonly text: string }[] =>
  (blocks as readonly Block[]).flatMap((block) =>
    block.is === 'heading' && block.level === 2 ? [{ id: block.id, text: plain(block.children) }] : [],
  )

const plain = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => ('text' in inline ? inline.text : 'children' in inline ? plain(inline.children) : ' '))
    .join('')
    .trim()

interface OnThisPageProps {
  readonly blocks: readonly { readonly is: string }[]
  /** Language of the text as a `lang` attribute; undefined: that of the page. */
  readonly lang: string | undefined
}

/** Fewer headings need no contents. */
const headingsMin = 3

/** Contents of a text: its headings. Beside the text where there is room, else a closed list before it. */
function OnThisPage({ blocks, lang }: OnThisPageProps) {
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

interface Props {
  readonly title: string
  /** Language of the text; the page names it where it is not that of the user. */
  readonly language: Language
  readonly intro?: ReactNode
  readonly blocks: readonly { readonly is: string }[]
  /** Links before the text. */
  readonly before?: ReactNode
  /** Links after the text. */
  readonly after?: ReactNode
  /** Links beside the text, where there is room. */
  readonly beside?: ReactNode
}

/** A text as a page: an article, a post or a policy. Goes to the place that the address names. */
export function TextPage({ title, language, intro, blocks, before, after, beside }: Props) {
  const { t } = useTranslation('help')
  const wanted = useLanguage()
  const here = decoded(useLocation().hash.slice(1))
  usePageTitle(title)
  useEffect(() => {
    if (here !== '') document.getElementById(here)?.scrollIntoView?.()
  }, [here])
  const tag = language === wanted ? undefined : intlTag[language]
  return (
    <Page title={<span lang={tag}>{title}</span>} intro={intro}>
      {before}
      <div className={styles.columns}>
        <div className={styles.side}>
          <OnThisPage blocks={blocks} lang={tag} />
          {beside && <div className={styles.beside}>{beside}</div>}
        </div>
        <div className={styles.article}>
          <Note>{tag && t('otherLanguage', { language: t(`languages.${language}`) })}</Note>
          <div lang={tag}>
            <TextTree blocks={blocks} here={here} noteName={(tone) => t(`note.${tone}`)} />
          </div>
          {after}
        </div>
      </div>
    </Page>
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
