import { useTranslation } from 'react-i18next'
import { Page } from '#src/ui/page.tsx'

export function ChannelPage() {
  const { t } = useTranslation('channels')
  return <Page title={t('one.title')} />
}
