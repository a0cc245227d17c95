import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { sessionOf } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { useUnsaved } from '#src/stores/unsaved.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'

/** Protects unsaved input: confirms before navigation and before the window closes. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  useUnsaved(isDirty)
  const queries = useQueryClient()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname && !isOver(queries),
  )

  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => {
      if (!isOver(queries)) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty, queries])

  return blocker.state === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
}

/** A sign-out, and a sign-in of another user, in this tab or another one, discard unsaved input: the next user must not see it. */
function isOver(queries: QueryClient): boolean {
  const { reason, sessionId } = apiRuntime().session.getSnapshot()
  // The cache of a page with unsaved input stays with its session until the same user has signed in again.
  return ['user', 'other_tab'].includes(reason) || (sessionId !== null && sessionId !== sessionOf(queries))
}

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
