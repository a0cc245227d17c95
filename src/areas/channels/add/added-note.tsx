import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { Note } from '#src/ui/note.tsx'

/** What the page that adds channels hands over. */
export interface AddedState {
  readonly added: { readonly id: number; readonly name: string }
}

/** Says which channel has just been added, and what can be done next. */
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
