import { useTranslation } from 'react-i18next'
import { Page } from '#src/ui/page.tsx'

export function AddPage() {
  const { t } = useTranslation('channels')
  return <Page title={t('add.title')} />
}
