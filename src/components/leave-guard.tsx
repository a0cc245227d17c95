import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { apiRuntime } from '#src/api/runtime.ts'
import { useUnsaved } from '#src/stores/unsaved.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'

/** Protects unsaved input: confirms before navigation and before the window closes. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  useUnsaved(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname && !hasSignedOut(),
  )

  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  return blocker.state === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
}

/** Sign-out, in this tab or another one, discards unsaved input: the next user must not see it. */
const hasSignedOut = () => ['user', 'other_tab'].includes(apiRuntime().session.getSnapshot().reason)

function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('parts', { keyPrefix: 'leave' })
  return (
    <Dialog title={t('title')} onClose={onStay}>
      <p>{t('text')}</p>
      <DialogActions>
        <Button look="outline" onClick={onLeave}>
          {t('leave')}
        </Button>
        <Button onClick={onStay}>{t('stay')}</Button>
      </DialogActions>
    </Dialog>
  )
}
