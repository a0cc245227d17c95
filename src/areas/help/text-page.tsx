import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Language } from '#contract/core/wire.ts'
import { TextTree } from '#src/components/text-tree.tsx'
import { intlTag } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'
import { Page } from '#src/ui/page.tsx'
import styles from './help.module.css'

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
}

/** A text as a page: an article, a post or a policy. Goes to the place that the address names. */
export function TextPage({ title, language, intro, blocks, before, after }: Props) {
  const { t } = useTranslation('help')
  const wanted = useLanguage()
  const here = decoded(useLocation().hash.slice(1))
  useTitle(title)
  useEffect(() => {
    if (here !== '') document.getElementById(here)?.scrollIntoView?.()
  }, [here])
  const tag = language === wanted ? undefined : intlTag[language]
  return (
    <Page title={<span lang={tag}>{title}</span>} intro={intro}>
      {before}
      <Note>{tag && t('otherLanguage', { language: t(`languages.${language}`) })}</Note>
      <div lang={tag} className={styles.article}>
        <TextTree blocks={blocks} here={here} noteName={(tone) => t(`note.${tone}`)} />
      </div>
      {after}
    </Page>
  )
}

/** Names the window after the text. The shell names it after the route in the same pass, so this follows. */
function useTitle(title: string): void {
  useEffect(() => {
    queueMicrotask(() => {
      document.title = `${title} · Relaydeck`
    })
  }, [title])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
