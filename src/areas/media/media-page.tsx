import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { q } from '#src/api/query.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { usePolling } from '#src/realtime/store.ts'
import { Page } from '#src/ui/page.tsx'
import { SlatesCard } from './slates-card.tsx'
import { UploadCard } from './upload-card.tsx'
import { useFilmProgress } from './use-film-progress.ts'
import { VideosCard } from './videos-card.tsx'

export const pagePath = '/p/:projectId/media'
export const handle = { title: 'media:title' }

/** Without realtime, progress is read again each so many milliseconds. */
const pollMs = 3_000

/** Files of a project: uploads, videos and recordings, and what channels receive in the place of the stream. */
export function Component() {
  const { t } = useTranslation('media')
  const projectId = Number(useParams()['projectId'])
  const mayEdit = useMayEdit(projectId)
  const polling = usePolling(projectId, pollMs)
  const files = useQuery({
    ...q(mediaFiles.list, { project_id: projectId }),
    refetchInterval: ({ state: { data } }) =>
      (data?.results.some(({ status }) => status === 'processing') ?? false) && polling,
  })
  useFilmProgress(projectId, files.data?.results)
  return (
    <Page title={t('title')} intro={t('intro')}>
      <UploadCard projectId={projectId} files={files} mayEdit={mayEdit} />
      <VideosCard projectId={projectId} mayEdit={mayEdit} />
      <SlatesCard projectId={projectId} files={files} mayEdit={mayEdit} />
    </Page>
  )
}
