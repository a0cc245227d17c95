import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { useOffline } from '#src/lib/use-offline.ts'
import { useAuth } from '#src/stores/session.ts'
import styles from './status-bar.module.css'

/** Bar shown only during a connection problem: the reason, the next retry and a remedy. */
export function StatusBar() {
  const { t } = useTranslation()
  const { status, retryAt, isRetryHeld, retry } = useAuth()
  const isOffline = useOffline()
  const { pathname, search } = useLocation()
  const seconds = useCountdown(status === 'degraded' ? retryAt : null)
  if (status !== 'degraded' && !isOffline) return null
  return (
    <div className={styles.bar} role="status">
      <span>
        {isOffline ? t('connection.offline') : t('connection.degraded')}
        {/* A screen reader announces the sentence once, not every second. */}
        {seconds !== null && !isOffline && (
          <span aria-hidden className="tabular">
            {' '}
            {t('connection.retryIn', { count: seconds })}
          </span>
        )}
      </span>
      {status === 'degraded' && (
        <>
          {!isRetryHeld && (
            <button type="button" className={styles.retry} onClick={() => void retry()}>
              {t('connection.retry')}
            </button>
          )}
          <Link className={styles.link} to={paths.signIn(pathname + search)}>
            {t('connection.signIn')}
          </Link>
        </>
      )}
    </div>
  )
}

/** Whole seconds until a point in time (milliseconds since 1970); null when there is none ahead. */
function useCountdown(until: number | null): number | null {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until])
  return until === null || until <= now ? null : Math.ceil((until - now) / 1000)
}
