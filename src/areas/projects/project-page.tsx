import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { TabbedPage } from '#src/components/tabbed-page.tsx'
import { paths } from '#src/lib/paths.ts'

/** Project page with tabs: overview, members, history. */
export function ProjectPage() {
  const { t } = useTranslation('projects')
  const { projectId = '' } = useParams()
  return (
    <TabbedPage
      title={t('title')}
      intro={t('intro')}
      tabs={[
        { to: paths.project(projectId), text: t('overview') },
        { to: paths.project(projectId, 'members'), text: t('members.tab') },
        { to: paths.project(projectId, 'history'), text: t('history.title') },
      ]}
    />
  )
}
