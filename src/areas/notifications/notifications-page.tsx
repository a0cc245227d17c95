import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { TabbedPage } from '#src/components/tabbed-page.tsx'
import { paths } from '#src/lib/paths.ts'

/** Notifications page with tabs: list, settings. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications')
  const { projectId = '' } = useParams()
  return (
    <TabbedPage
      title={t('title')}
      intro={t('intro')}
      tabs={[
        { to: paths.notifications(projectId), text: t('all') },
        { to: paths.notifications(projectId, 'settings'), text: t('settings.tab') },
        { to: paths.notifications(projectId, 'webhooks'), text: t('webhooks.tab') },
      ]}
    />
  )
}
