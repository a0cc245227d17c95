import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation, useParams } from 'react-router'
import { PlansPage } from '#src/components/plans-page.tsx'
import { useHasPayments } from '#src/components/use-has-payments.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { tabs } from './tabs.ts'

/** Money of a project: balance, history, cards and details, payouts, referrals. */
export function BillingPage() {
  const { projectId = '' } = useParams()
  const { hasPlans } = useInstallation()
  if (!hasPlans) return <PastPayments projectId={projectId} />
  return (
    <PlansPage projectId={projectId}>
      <Outlet key={projectId} />
    </PlansPage>
  )
}

/** History and papers of a project that has paid, while plans do not apply. */
function PastPayments({ projectId }: { readonly projectId: string }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const hasPayments = useHasPayments(Number(projectId), true)
  if (hasPayments === false) return <Navigate to={paths.project(projectId)} replace />
  const history = paths.billing(projectId, 'history')
  const isOtherTab = tabs.some(({ to }) => to(projectId) === pathname && pathname !== history)
  if (isOtherTab) return <Navigate to={history} replace />
  return (
    <Page title={t('plansTab.history')}>{hasPayments ? <Outlet key={projectId} /> : <Skeleton height={380} />}</Page>
  )
}
