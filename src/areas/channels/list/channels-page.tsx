import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { TabbedPage } from '#src/components/tabbed-page.tsx'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'

/** Channels page with tabs: channels, accounts, sharing. */
export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { projectId = '' } = useParams()
  return (
    <TabbedPage
      title={t('title')}
      intro={t('intro')}
      actions={
        <Link to={paths.channels(projectId, 'add')} className={buttonClass()}>
          <IconPlus size={18} aria-hidden />
          {t('add.button')}
        </Link>
      }
      tabs={[
        { to: paths.channels(projectId), text: t('tab.list') },
        { to: paths.channels(projectId, 'accounts'), text: t('tab.accounts') },
        { to: paths.channels(projectId, 'shared'), text: t('tab.shared') },
      ]}
    />
  )
}
