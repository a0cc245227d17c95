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
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />

  const { kind, name, message } = toApiError(error)
  const what = isChunkError(error) ? 'update' : kind === 'unknown' ? 'crash' : 'load'
  return (
    <Page title={t(`errors.${what}.title`)}>
      <Problem
        title={t(`errors.${what}.text`)}
        retry={{ label: t('errors.reload'), run: () => location.reload() }}
        details={{ label: t('errors.details'), text: `${name}: ${message}` }}
      />
    </Page>
  )
}

/** A part of the dashboard is no longer where it was: a newer version has been installed. */
const isChunkError = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script|Importing a module|preload CSS/i.test(error.message)
