import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Platform } from '#contract/entities/channel.ts'
import { formatList } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ConnectButton } from './connect-button.tsx'
import { accountPlatformOf } from './account-platform.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'

interface Props {
  readonly projectId: number
  readonly platform: Platform
  readonly mayEdit: boolean
}

/** Button to connect an account of a platform, or the reason why it is not available. */
export function ConnectRow({ projectId, platform, mayEdit }: Props) {
  const { t } = useTranslation('platform-accounts')
  const { type, title, oauth_ready: isReady, missing_settings: missing = [] } = platform
  const language = useLanguage()
  const way = accountPlatformOf(type)
  const about = !isReady
    ? missing.length > 0
      ? 'missing'
      : 'off'
    : type === 'vk' || type === 'ok'
      ? 'places'
      : 'channel'
  return (
    <Row
      lead={<PlatformIcon type={type} />}
      title={title}
      about={t(`connect.${about}`, { settings: formatList(missing, language) })}
      actions={
        isReady && way ? (
          <ConnectButton
            projectId={projectId}
            platform={way}
            label={t('connect.named', { platform: title })}
            look="outline"
            isOff={!mayEdit}
          >
            {t('connect.button')}
          </ConnectButton>
        ) : (
          <Link
            className={buttonClass('outline')}
            to={`${paths.channels(projectId, 'add')}?platform=${type}`}
            aria-label={t('connect.byKeyNamed', { platform: title })}
          >
            {t('connect.byKey')}
          </Link>
        )
      }
    />
  )
}
