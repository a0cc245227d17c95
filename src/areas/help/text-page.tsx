import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Language } from '#contract/core/wire.ts'
import { TextTree } from '#src/components/text-tree.tsx'
import { intlTag } from '#src/lib/i18n.ts'
import { usePageTitle } from '#src/lib/use-document-title.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'
import { Page } from '#src/ui/page.tsx'
import styles from './help.module.css'
import { OnThisPage } from './on-this-page.tsx'

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
