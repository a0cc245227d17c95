import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useParams } from 'react-router'
import { TabLinks } from '#src/components/tab-links.tsx'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Page } from '#src/ui/page.tsx'

/** Channels page with tabs: channels, accounts, sharing. */
export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { projectId = '' } = useParams()
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        <Link to={paths.channels(projectId, 'add')} className={buttonClass()}>
          <IconPlus size={18} aria-hidden />
          {t('add.button')}
        </Link>
      }
    >
      <TabLinks
        label={t('title')}
        tabs={[
          { to: paths.channels(projectId), text: t('tab.list') },
          { to: paths.channels(projectId, 'accounts'), text: t('tab.accounts') },
          { to: paths.channels(projectId, 'shared'), text: t('tab.shared') },
        ]}
      />
      <Outlet />
    </Page>
  )
}
