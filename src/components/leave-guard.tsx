import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { useUnsaved } from '#src/stores/unsaved.ts'
import styles from './leave-guard.module.css'

/** Keeps unsaved input from being lost: asks before another page comes, and before the window closes. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  useUnsaved(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )

  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  return blocker.state === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
}

function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('parts', { keyPrefix: 'leave' })
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby="leave-title" onCancel={onStay}>
      <h2 id="leave-title">{t('title')}</h2>
      <p>{t('text')}</p>
      <div className={styles.actions}>
        <button type="button" className={styles.leave} onClick={onLeave}>
          {t('leave')}
        </button>
        <button type="button" className={styles.stay} onClick={onStay}>
          {t('stay')}
        </button>
      </div>
    </dialog>
  )
}
