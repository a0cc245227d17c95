import { useTranslation } from 'react-i18next'
import { Outlet, useParams } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'

/** Stream setup with tabs: publishing, pulling, servers, transcoders. */
export function IngestPage() {
  const { t } = useTranslation('ingest')
  const { projectId = '' } = useParams()
  return (
    <Page title={t('title')} intro={t('intro')}>
      <TabLinks
        label={t('title')}
        tabs={[
          { to: paths.ingest(projectId), text: t('tab.push') },
          { to: paths.ingest(projectId, 'pull'), text: t('tab.pull') },
          { to: paths.ingest(projectId, 'servers'), text: t('tab.servers') },
          { to: paths.ingest(projectId, 'transcoders'), text: t('tab.transcoders') },
        ]}
      />
      <Outlet />
    </Page>
  )
}
