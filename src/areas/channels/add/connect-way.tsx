import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { platforms } from '#contract/areas/channels/platforms.ts'
import type { Platform } from '#contract/entities/channel.ts'
import { accountsOf, isOneOf, placePlatforms } from '#contract/platforms/platforms.ts'
import { q } from '#src/api/query.ts'
import { formatList } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { ConnectButton } from '#src/areas/channels/accounts/connect-button.tsx'
import { PlacesPicker } from '#src/areas/channels/detail/places-picker.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'

interface Props {
  readonly projectId: number
  readonly platform: Platform
}

/** Adds a channel by connecting a platform account, or shows why the service cannot (no app registration). */
export function ConnectWay({ projectId, platform }: Props) {
  const { t } = useTranslation('platform-accounts')
  const mayEdit = useMayEdit(projectId)
  const { title, type, oauth_ready: isReady, missing_settings: missing = [] } = platform
  const language = useLanguage()
  const { isOperator } = useInstallation()
  const [way] = accountsOf(type)
  if (!isReady || !way) {
    const settings = isOperator && missing.length > 0 && t('way.missing', { settings: formatList(missing, language) })
    return (
      <Card title={t('way.title', { platform: title })} note={t('way.off', { platform: title })} look="quiet">
        {settings && <p>{settings}</p>}
      </Card>
    )
  }
  const places = isOneOf(placePlatforms, type) ? type : null
  const about = places ? 'places' : platform.set_title ? 'channel' : 'channelOnly'
  return (
    <Card title={t('way.title', { platform: title })} note={t(`way.${about}`)}>
      <div className={styles.act}>
        <ConnectButton
          projectId={projectId}
          platform={way}
          label={t('connect.named', { platform: title })}
          look="outline"
          isOff={!mayEdit}
        >
          {t('connect.named', { platform: title })}
        </ConnectButton>
        <Link to={paths.channels(projectId, 'accounts')}>{t('way.accounts')}</Link>
      </div>
      {places && mayEdit && <OwnPlaces projectId={projectId} platform={places} />}
    </Card>
  )
}

/** Places of accounts that are already connected. */
function OwnPlaces({ projectId, platform }: { readonly projectId: number; readonly platform: 'vk' | 'ok' }) {
  const { data } = useQuery(q(platforms.accounts, { platform }))
  const accounts = data?.results.filter(({ status }) => status === 1) ?? []
  return accounts.length > 0 ? <PlacesPicker projectId={projectId} platform={platform} accounts={accounts} /> : null
}
