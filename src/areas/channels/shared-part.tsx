import { useTranslation } from 'react-i18next'
import { NotServed } from '#src/components/not-served.tsx'

/** Channels of other projects, channels that others use, and invitations that are open. */
export function SharedPart() {
  const { t } = useTranslation('channels')
  return (
    <NotServed title={t('tab.shared')} text={t('coming.shared')} groups={['channels.access', 'channels.invites']} />
  )
}
