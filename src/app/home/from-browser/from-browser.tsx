import { IconDeviceLaptop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#src/ui/button.tsx'

const BrowserDialog = lazy(async () => ({ default: (await import('./browser-dialog.tsx')).BrowserDialog }))

interface Props {
  readonly projectId: number
  /** An encoder sends: the button is hidden. An open dialog stays. */
  readonly isSending: boolean
}

/** Button that opens the dialog for a stream from this browser. */
export function FromBrowser({ projectId, isSending }: Props) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'browser' })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {!isSending && (
        <Button look="outline" onClick={() => setOpen(true)}>
          <IconDeviceLaptop size={18} aria-hidden />
          {t('open')}
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
