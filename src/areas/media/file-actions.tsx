import { IconPencil, IconTrash } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaUse } from '#contract/entities/media.ts'
import { Badge } from '#src/ui/badge.tsx'
import { IconButton } from '#src/ui/button.tsx'
import styles from './media.module.css'

const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog }))
const RenameDialog = lazy(async () => ({ default: (await import('./rename-dialog.tsx')).RenameDialog }))

interface Props {
  readonly projectId: number
  readonly file: { readonly id: number; readonly name: string; readonly kind: 'film' | 'picture' | 'recording' }
  /** What the file is chosen for. */
  readonly uses: readonly MediaUse[]
  readonly mayEdit: boolean
  /** Further actions of the row. */
  readonly children?: ReactNode
}

/** Actions of a file that is ready: what it is chosen for, and buttons that rename and delete it, with their dialogs. */
export function FileActions({ projectId, file, uses, mayEdit, children }: Props) {
  const { t } = useTranslation('media')
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const { id, name, kind } = file
  const onClose = () => setOpen(null)
  return (
    <>
      {uses.map((use) => (
        <Badge key={use} tone="accent">
          {t(`badge.${use}`)}
        </Badge>
      ))}
      {children}
      {mayEdit && (
        <span className={styles.icons}>
          <IconButton label={t('video.rename', { name })} onClick={() => setOpen('rename')}>
            <IconPencil size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('video.remove', { name })} onClick={() => setOpen('remove')}>
            <IconTrash size={18} aria-hidden />
          </IconButton>
        </span>
      )}
      {open && (
        <Suspense>
          {open === 'rename' ? (
            <RenameDialog
              projectId={projectId}
              file={{ id, name, isRecording: kind === 'recording' }}
              onClose={onClose}
            />
          ) : (
            <RemoveDialog projectId={projectId} file={file} onClose={onClose} />
          )}
        </Suspense>
      )}
    </>
  )
}
