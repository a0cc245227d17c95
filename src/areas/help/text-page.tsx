import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useMatches } from 'react-router'
import type { Language } from '#contract/core/wire.ts'
import { TextTree } from '#src/components/text-tree.tsx'
import { intlTag } from '#src/lib/i18n.ts'
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
  useTitle(title)
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

/** Names the window after the text, in place of the route's title. The shell keeps its sign before it: `(2) `. */
function useTitle(title: string): void {
  const { t } = useTranslation('help')
  const key = useMatches()
    .map(({ handle }) => (handle as { title?: string } | undefined)?.title)
    .findLast((one) => one !== undefined)
  const ofRoute = `${key === undefined ? '' : t(key)} · Relaydeck`
  useEffect(() => {
    const own = `${title} · Relaydeck`
    const replace = (from: string, to: string) => {
      const now = document.title
      if (now.endsWith(from) && !now.endsWith(to)) document.title = now.slice(0, -from.length) + to
    }
    const apply = () => replace(ofRoute, own)
    const observer = new MutationObserver(apply)
    observer.observe(document.querySelector('title') ?? document.head, { childList: true, subtree: true })
    // The shell names the window in the same pass, after this effect.
    queueMicrotask(apply)
    return () => {
      observer.disconnect()
      replace(own, ofRoute)
    }
  }, [title, ofRoute])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
