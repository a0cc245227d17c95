import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import styles from './ingest.module.css'
import { RotateDialog } from './rotate-dialog.tsx'
import { useIngestWords } from './use-ingest-words.ts'

interface Props {
  readonly projectId: number
  readonly error: Error
}

/** Takes the place of the stream key that the secret of the server no longer opens: editors replace it. */
export function UnreadableKey({ projectId, error }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const mayEdit = useMayEdit(projectId)
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={t('key.failed')}>
      <p role="alert">{why(error)}</p>
      {mayEdit && (
        <div className={styles.buttons}>
          <Button onClick={() => setOpen(true)}>{t('rotate.button')}</Button>
        </div>
      )}
      {isOpen && <RotateDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </Card>
  )
}
