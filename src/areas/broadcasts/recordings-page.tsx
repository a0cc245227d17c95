import { IconVideo } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { pageSize } from './broadcasts-view.ts'
import { RecordingRow } from './recording-row.tsx'
import { Storage } from './recordings-card.tsx'

interface View {
  readonly page: number
}
const readView = (params: URLSearchParams): View => ({ page: pageOf(params) })
const writeView = (view: View, change: Partial<View>): URLSearchParams => paramsOf({ ...view, ...change })

/** Recordings of all broadcasts of a project, newest first, and the storage that they use. */
export function RecordingsPage() {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'recordings' })
  const projectId = Number(useParams()['projectId'])
  const mayEdit = useMayEdit(projectId)
  const { view, to } = useListView(readView, writeView)
  const list = useQuery({
    ...q(recordings.list, { project_id: projectId, ...windowOf(view.page, pageSize) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card>
      <PagedList
        query={list}
        failed={t('failed')}
        height={320}
        page={view.page}
        size={pageSize}
        to={to}
        empty={
          <EmptyState
            icon={<IconVideo size={26} />}
            title={t('none')}
            action={
              <Link className={buttonClass('outline')} to={paths.ingest(projectId)}>
                {t('setUp')}
              </Link>
            }
          >
            {t('noneText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <RowList label={t('title')}>
            {rows.map((recording) => (
              <RecordingRow key={recording.id} {...{ projectId, recording, mayEdit }} isLinked />
            ))}
          </RowList>
        )}
      </PagedList>
      <Storage projectId={projectId} />
      <HelpLinkLater article="stream/recordings" />
    </Card>
  )
}
