import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { tabs } from './tabs.ts'
import { useShown } from './use-shown.ts'

/** Pages of the operators of the installation: plans, prices and customers. */
export function OperatorPage() {
  const { t } = useTranslation('operator')
  const { isOperator } = useInstallation()
  const { pathname } = useLocation()
  const isShown = useShown()
  const here = isShown(tabs.find(({ path }) => paths.operator(path) === pathname)?.needs)
  if (isOperator && here === false) return <Navigate to={paths.operator()} replace />
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
            tabs={tabs
              .filter(({ needs }) => isShown(needs))
              .map(({ key, path }) => ({ to: paths.operator(path), text: t(`${key}.title`) }))}
          />
          {here && <Outlet />}
        </>
      )}
    </Page>
  )
}
