import { useTranslation } from 'react-i18next'
import { Outlet, useParams } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'

/** Project page with tabs: overview, members, history. */
export function ProjectPage() {
  const { t } = useTranslation('projects')
  const { projectId = '' } = useParams()
  return (
    <Page title={t('title')} intro={t('intro')}>
      <TabLinks
        label={t('title')}
        tabs={[
          { to: paths.project(projectId), text: t('overview') },
          { to: paths.project(projectId, 'members'), text: t('members.tab') },
          { to: paths.project(projectId, 'history'), text: t('history.title') },
        ]}
      />
      <Outlet />
    </Page>
  )
}
