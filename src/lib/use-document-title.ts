import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches } from 'react-router'

/** The title of the window, from the `handle.title` of the innermost route that has one: a key of the locales. */
export function useDocumentTitle(): void {
  const matches = useMatches()
  const key = matches
    .map(({ handle }) => (handle as { title?: string } | undefined)?.title)
    .findLast((title) => title !== undefined)
  const { t } = useTranslation(key?.split(':')[0] ?? 'common')
  const title = key ? t(key) : null

  useEffect(() => {
    document.title = title ? `${title} · Relaydeck` : 'Relaydeck'
  }, [title])
}
