import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { TabbedPage } from '#src/components/tabbed-page.tsx'
import { paths } from '#src/lib/paths.ts'

/** Stream setup with tabs: publishing, pulling, servers, transcoders. */
export function IngestPage() {
  const { t } = useTranslation('ingest')
  const { projectId = '' } = useParams()
  return (
    <TabbedPage
      title={t('title')}
      intro={t('intro')}
      tabs={[
        { to: paths.ingest(projectId), text: t('tab.push') },
        { to: paths.ingest(projectId, 'pull'), text: t('tab.pull') },
        { to: paths.ingest(projectId, 'servers'), text: t('tab.servers') },
        { to: paths.ingest(projectId, 'transcoders'), text: t('tab.transcoders') },
      ]}
    />
  )
}
