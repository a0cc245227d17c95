import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useParams } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { tabs } from './tabs.ts'

/** Money of a project: balance, history, cards and details, payouts, referrals. */
export function BillingPage() {
  const { t } = useTranslation('billing')
  const { projectId = '' } = useParams()
  const { hasPlans } = useInstallation()
  if (!hasPlans) return <Navigate to={paths.tariffs(projectId)} replace />
  return (
    <Page title={t('title')} intro={t('intro')}>
      <TabLinks label={t('title')} tabs={tabs.map(({ key, to }) => ({ to: to(projectId), text: t(`tab.${key}`) }))} />
      <Outlet key={projectId} />
    </Page>
  )
}
