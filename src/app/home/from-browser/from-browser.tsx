import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#src/ui/button.tsx'

// Loaded when it opens: Home itself grows by the button only.
const BrowserDialog = lazy(async () => ({ default: (await import('./browser-dialog.tsx')).BrowserDialog }))

interface Props {
  readonly projectId: number
  /** An encoder sends: the button is hidden. An open dialog stays. */
  readonly isSending: boolean
}

/** Button that opens the dialog for a stream from this browser. */
export function FromBrowser({ projectId, isSending }: Props) {
  const { t } = useTranslation('home')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {!isSending && (
        <Button look="outline" onClick={() => setOpen(true)}>
          {t('fromBrowser')}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <BrowserDialog projectId={projectId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
