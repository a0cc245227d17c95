import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** Page for an unexpected error: the reason and a link home. */
export function RouteError() {
  const { t } = useTranslation()
  const error = useRouteError()
  const isReplaced = useIsReplaced(error)
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />

  const { kind, name, message } = toApiError(error)
  const isMissing = isChunkError(error)
  const what = isReplaced ? 'update' : kind === 'unknown' && !isMissing ? 'crash' : 'load'
  return (
    <Page title={t(`errors.${what}.title`)}>
      <Problem
        title={t(what === 'load' && isMissing ? 'errors.load.file' : `errors.${what}.text`)}
        retry={{ label: t(what === 'load' ? 'errors.retry' : 'errors.reload'), run: reload }}
        details={{ label: t('errors.details'), text: `${name}: ${message}` }}
      />
    </Page>
  )
}

const reload = () => location.reload()

/**
 * Returns whether a chunk is missing because a newer version is deployed: the server's document names another entry
 * file than this page's. Otherwise the chunk may load later: the page reloads when the network is back.
 */
function useIsReplaced(error: unknown): boolean {
  const [isReplaced, setReplaced] = useState(false)
  useEffect(() => {
    if (!isChunkError(error)) return undefined
    void isNewerThere().then(setReplaced, () => setReplaced(false))
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [error])
  return isReplaced
}

/**
 * Returns whether the server's document names another entry file; its name changes with every file of the dashboard.
 */
async function isNewerThere(): Promise<boolean> {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  const answer = await fetch(paths.root(), { cache: 'no-store' })
  const page = await answer.text()
  return answer.ok && Boolean(entry) && page.includes('type="module"') && !page.includes(String(entry))
}

/** A chunk of the dashboard did not load. */
const isChunkError = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script|Importing a module|preload CSS/i.test(error.message)
