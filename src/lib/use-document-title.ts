import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches } from 'react-router'

/**
 * The title of the window, from the `handle.title` of the innermost route that has one: a key of the locales.
 * @param instead key for what is shown in place of the route's own page
 * @param sign what it begins with: the state that somebody in another tab looks for
 */
export function useDocumentTitle(instead?: string, sign = ''): void {
  const matches = useMatches()
  const ofRoute = matches
    .map(({ handle }) => (handle as { title?: string } | undefined)?.title)
    .findLast((title) => title !== undefined)
  const key = instead ?? ofRoute
  const { t } = useTranslation(key?.split(':')[0] ?? 'common')
  // A page that is named after its address says so in its key: `{{group}}`.
  const title = key ? t(key, { ...matches.at(-1)?.params }) : null

  useEffect(() => {
    document.title = sign + (title ? `${title} · Relaydeck` : 'Relaydeck')
  }, [title, sign])
}
