import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { Note } from '#src/ui/note.tsx'

/** Navigation state set by the page that adds channels. */
export interface AddedState {
  readonly added: { readonly id: number; readonly name: string }
}

/** Note about the new channel with its next steps. */
export function AddedNote({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('channels')
  const { added } = (useLocation().state as Partial<AddedState> | null) ?? {}
  return (
    <Note tone="ok">
      {added && (
        <>
          {t('added.text', { name: added.name })}{' '}
          <Link to={paths.channel(projectId, added.id)}>{t('added.settings')}</Link>
        </>
      )}
    </Note>
  )
}
