import { useTranslation } from 'react-i18next'
import { Outlet, useParams } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'

/** Notifications page with tabs: list, settings. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications')
  const { projectId = '' } = useParams()
  return (
    <Page title={t('title')} intro={t('intro')}>
      <TabLinks
        label={t('title')}
        tabs={[
          { to: paths.notifications(projectId), text: t('all') },
          { to: paths.notifications(projectId, 'settings'), text: t('settings.tab') },
          { to: paths.notifications(projectId, 'webhooks'), text: t('webhooks.tab') },
        ]}
      />
      <Outlet />
    </Page>
  )
}
