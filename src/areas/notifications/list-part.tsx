import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { history } from '#contract/areas/notifications/history.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import { NotificationItem } from './notification-item.tsx'
import type { Input } from '#contract/core/operation.ts'
import { NotifyCategory } from '#contract/entities/notification.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'

// Filters and page of the list, stored in the URL.

/** Rows on one page. */
const pageSize = 30

const states = ['unread', 'read'] as const
const categories = NotifyCategory.options

/** Page numbers start at 1. */
interface View {
  readonly state: (typeof states)[number] | ''
  readonly category: NotifyCategory | ''
  /** Notifications of all projects of the user. */
  readonly isAll: boolean
  readonly page: number
}

/** Reads the view from the URL; invalid values fall back to defaults. */
function readView(params: URLSearchParams): View {
  return {
    state: states.find((name) => name === params.get('state')) ?? '',
    category: categories.find((name) => name === params.get('category')) ?? '',
    isAll: params.get('projects') === 'all',
    page: pageOf(params),
  }
}

/** The view as URL parameters without defaults. A changed filter returns to page 1. */
function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { isAll, ...rest } = { ...view, page: 1, ...change }
  return paramsOf({ ...rest, projects: isAll ? 'all' : '' })
}

/** Returns whether a filter hides notifications of this project. */
const isNarrow = ({ state, category }: View): boolean => state !== '' || category !== ''

/** The view as input of the operation. */
const inputOf = (projectId: number, { state, category, isAll, page }: View): Input<typeof history.list> => ({
  ...windowOf(page, pageSize),
  ...(!isAll && { project_id: projectId }),
  ...(state && { status_read: state }),
  ...(category && { category }),
})

/** All notifications of the user in this project, or in all projects, newest first. */
export function ListPart() {
  const { hasPlans } = useInstallation()
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const projectId = Number(useParams()['projectId'])
  const { view, change, to } = useListView(readView, writeView)
  const list = useQuery({ ...q(history.list, inputOf(projectId, view)), placeholderData: keepPreviousData })
  const { data: unread } = useQuery(q(history.getStatus, {}))
  const readAll = useWrite(history.setAllCabinetRead)
  return (
    <Card
      title={t('list.title')}
      actions={
        <Button
          look="outline"
          isBusy={readAll.isPending}
          isOff={unread?.count_unread === 0}
          onClick={() => readAll.mutate({})}
        >
          {t('list.readAll')}
        </Button>
      }
    >
      <Filters view={view} onChange={change} />
      <Note tone="live">{readAll.error ? why(readAll.error) : ''}</Note>
      <PagedList
        query={list}
        failed={t('list.failed')}
        height={380}
        page={view.page}
        size={pageSize}
        to={to}
        empty={
          <EmptyState title={t(isNarrow(view) ? 'list.nothing' : 'list.empty')}>
            {!isNarrow(view) && t(hasPlans ? 'list.emptyText' : 'list.emptyTextFree')}
          </EmptyState>
        }
      >
        {(rows) => (
          <RowList label={t('list.title')}>
            {rows.map((row) => (
              <NotificationItem key={row._id} row={row} />
            ))}
          </RowList>
        )}
      </PagedList>
    </Card>
  )
}

function Filters({ view, onChange }: { readonly view: View; readonly onChange: (change: Partial<View>) => void }) {
  const { t } = useTranslation('notifications')
  return (
    <Toolbar label={t('filter.label')}>
      <FilterField
        label={t('filter.state')}
        value={view.state}
        choices={[
          { value: '', label: t('filter.anyState') },
          { value: 'unread', label: t('filter.unread') },
          { value: 'read', label: t('filter.read') },
        ]}
        onChange={(state) => onChange({ state })}
      />
      <FilterField
        label={t('filter.category')}
        value={view.category}
        choices={[
          { value: '', label: t('filter.anyCategory') },
          ...categories.map((value) => ({ value, label: t(`category.${value}`) })),
        ]}
        onChange={(category) => onChange({ category })}
      />
      <FilterField
        label={t('filter.projects')}
        value={view.isAll ? 'all' : ''}
        choices={[
          { value: '', label: t('filter.thisProject') },
          { value: 'all', label: t('filter.allProjects') },
        ]}
        onChange={(projects) => onChange({ isAll: projects === 'all' })}
      />
    </Toolbar>
  )
}
