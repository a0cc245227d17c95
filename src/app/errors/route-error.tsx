import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { Page } from '#src/ui/page.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** A page that broke: what happened, in words, and a way on. */
export function RouteError() {
  const { t } = useTranslation()
  const error = useRouteError()
  const isGone = useIsGone(error)
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />

  const { kind, name, message } = toApiError(error)
  const what = isGone ? 'update' : kind === 'unknown' && !isChunkError(error) ? 'crash' : 'load'
  return (
    <Page title={t(`errors.${what}.title`)}>
      <Problem
        title={t(`errors.${what}.text`)}
        retry={{ label: t('errors.reload'), run: reload }}
        details={{ label: t('errors.details'), text: `${name}: ${message}` }}
      />
    </Page>
  )
}

const reload = () => location.reload()

/**
 * Is a part of the dashboard no longer where it was, because a newer version is there? Not where nothing answers: what
 * did not come while there was no network comes by itself when there is one.
 */
function useIsGone(error: unknown): boolean {
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    if (!isChunkError(error)) return undefined
    void fetch('/config.json', { cache: 'no-store' }).then(
      ({ ok }) => setGone(ok),
      () => setGone(false),
    )
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [error])
  return isGone
}

/** A part of the dashboard did not come. */
const isChunkError = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script|Importing a module|preload CSS/i.test(error.message)
