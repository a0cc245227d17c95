import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { paths } from '#src/lib/paths.ts'
import { safeReturnTo } from '#src/session/return-to.ts'
import { Problem } from '#src/ui/problem.tsx'
import { dashboard, disconnectFromServer } from '../boot.ts'
import { noteSignIn, signInUrl } from './begin.ts'
import { Entrance } from './entrance.tsx'
import styles from './entrance.module.css'

const ConnectForm = lazy(() => import('./connect-form.tsx'))

/** The door: sign in at the service, or point this dashboard at another server. */
export function Component() {
  const { t } = useTranslation('sign-in')
  const [params] = useSearchParams()
  const [isConnecting, setConnecting] = useState(false)
  const { otherServer } = dashboard()
  const begin = useMutation({
    mutationFn: () => signInUrl('local', noteSignIn(safeReturnTo(params.get('returnTo')))),
    onSuccess: (url) => location.assign(url),
  })

  return (
    <Entrance title={t('title')} intro={otherServer ? t('otherServer', { server: new URL(otherServer).host }) : t('intro')}>
      {begin.isError && <Problem title={t('failed')}>{toApiError(begin.error).message}</Problem>}
      <Button size="md" fullWidth loading={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        {t('button')}
      </Button>
      {otherServer && (
        <Button
          variant="default"
          fullWidth
          onClick={() => {
            disconnectFromServer()
            location.assign(paths.signIn())
          }}
        >
          {t('backToOwn')}
        </Button>
      )}
      <details className={styles.more} onToggle={(event) => setConnecting(event.currentTarget.open)}>
        <summary>{t('connect.title')}</summary>
        {isConnecting && (
          <Suspense>
            <ConnectForm />
          </Suspense>
        )}
      </details>
      <Link to={paths.reference()} className={styles.quiet}>
        {t('reference')}
      </Link>
    </Entrance>
  )
}
