import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { settings } from '#contract/areas/operator/settings.ts'
import { q } from '#src/api/query.ts'
import { TabLinks } from '#src/components/tab-links.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { type OperatorTab, tabs } from './tabs.ts'

/** Pages of the operators of the installation: plans, prices and customers. */
export function OperatorPage() {
  const { t } = useTranslation('operator')
  const { isOperator, hasPlans } = useInstallation()
  const known = useQuery({ ...q(settings.get, {}), enabled: isOperator === true && !hasPlans })
  const isShown = ({ needs }: OperatorTab) =>
    !needs || hasPlans || (needs === 'payments' && known.data?.has_payments === true)
  return (
    <Page title={t('title')} intro={t('intro')}>
      {isOperator === false ? (
        <EmptyState title={t('noRight.title')}>
          <p>{t('noRight.text')}</p>
        </EmptyState>
      ) : (
        <>
          <TabLinks
            label={t('title')}
            tabs={tabs.filter(isShown).map(({ key, path }) => ({ to: paths.operator(path), text: t(`${key}.title`) }))}
          />
          <Outlet />
        </>
      )}
    </Page>
  )
}
