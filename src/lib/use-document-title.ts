import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches } from 'react-router'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Title of a page that names the window itself; null: the route names it. */
const own = createStore<{ readonly title: string | null }>(() => ({ title: null }))

/**
 * Sets the window title from the `handle.title` of the innermost route that has one: a key of the locales.
 * @param instead key of the page shown in place of the route's own
 * @param sign prefix: the state that is visible from other browser tabs
 */
export function useDocumentTitle(instead?: string, sign = ''): void {
  const matches = useMatches()
  const ofRoute = matches
    .map(({ handle }) => (handle as { title?: string } | undefined)?.title)
    .findLast((title) => title !== undefined)
  const key = instead ?? ofRoute
  const { t } = useTranslation(key?.split(':')[0] ?? 'common')
  const ofPage = useStore(own).title
  // A page named after its URL has a placeholder in its key: `{{group}}`.
  const title = ofPage ?? (key ? t(key, { ...matches.at(-1)?.params }) : null)

  useEffect(() => {
    document.title = sign + (title ? `${title} · Relaydeck` : 'Relaydeck')
  }, [title, sign])
}

/** Names the window after a text that the page shows, in place of the route's title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    own.setState({ title })
    return () => own.setState({ title: null })
  }, [title])
}
