import { lazy, type ReactNode, Suspense, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#src/ui/button.tsx'

const Palette = lazy(() => import('./palette.tsx'))

/** Opens the command palette, also by Ctrl K or ⌘ K. Its code loads with the first opening. */
export function PaletteButton({ projectId, children }: { projectId: number | string; children: ReactNode }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)

  // Listens from the moment that the button is visible.
  useLayoutEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [])

  return (
    <>
      <IconButton label={t('palette.open')} aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        {children}
      </IconButton>
      {isOpen && (
        <Suspense>
          <Palette projectId={projectId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
