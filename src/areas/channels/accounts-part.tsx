import { useTranslation } from 'react-i18next'
import { NotServed } from '#src/components/not-served.tsx'

/** The accounts of platforms that are connected to the project. */
export function AccountsPart() {
  const { t } = useTranslation('channels')
  return <NotServed title={t('tab.accounts')} text={t('coming.accounts')} groups={['channels.platforms']} />
}
