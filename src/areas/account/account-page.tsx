import { useTranslation } from 'react-i18next'
import { TabbedPage } from '#src/components/tabbed-page.tsx'
import { paths } from '#src/lib/paths.ts'

/** Account page with tabs: profile, second factors, sessions, sign-in methods, API tokens, apps. */
export function AccountPage() {
  const { t } = useTranslation(['account', 'apps'])
  return (
    <TabbedPage
      title={t('title')}
      intro={t('intro')}
      tabs={[
        { to: paths.account(), text: t('profile.title') },
        { to: paths.account('security'), text: t('security.title') },
        { to: paths.account('sessions'), text: t('sessions.title') },
        { to: paths.account('socials'), text: t('signIn.title') },
        { to: paths.account('tokens'), text: t('tokens.title') },
        { to: paths.account('apps'), text: t('apps:title') },
      ]}
    />
  )
}
