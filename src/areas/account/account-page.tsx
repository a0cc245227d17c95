import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'

/** Account page with tabs: profile, sessions, sign-in methods. */
export function AccountPage() {
  const { t } = useTranslation('account')
  return (
    <Page title={t('title')} intro={t('intro')}>
      <TabLinks
        label={t('title')}
        tabs={[
          { to: paths.account(), text: t('profile.title') },
          { to: paths.account('sessions'), text: t('sessions.title') },
          { to: paths.account('socials'), text: t('signIn.title') },
        ]}
      />
      <Outlet />
    </Page>
  )
}
