import { useTranslation } from 'react-i18next'
import { Outlet, useParams } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { Page } from '#src/ui/page.tsx'
import { tabs } from './tabs.ts'

/** Money of a project: balance, history, cards and details, payouts, referrals. */
export function BillingPage() {
  const { t } = useTranslation('billing')
  const { projectId = '' } = useParams()
  return (
    <Page title={t('title')} intro={t('intro')}>
      <TabLinks label={t('title')} tabs={tabs.map(({ key, to }) => ({ to: to(projectId), text: t(`tab.${key}`) }))} />
      <Outlet key={projectId} />
    </Page>
  )
}
