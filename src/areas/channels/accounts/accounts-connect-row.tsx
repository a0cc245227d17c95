import { useTranslation } from 'react-i18next'
import type { Platform } from '#contract/entities/channel.ts'
import { type AccountPlatform, factsOf } from '#contract/platforms/platforms.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ConnectButton } from './connect-button.tsx'

interface Props {
  readonly projectId: number
  readonly platform: Platform
  readonly way: AccountPlatform
  readonly mayEdit: boolean
}

/** Button to connect an account of a platform. */
export function ConnectRow({ projectId, platform: { type, title }, way, mayEdit }: Props) {
  const { t } = useTranslation('platform-accounts')
  return (
    <Row
      lead={<PlatformIcon type={type} />}
      title={title}
      about={t(`connect.${factsOf(type).places ? 'places' : 'channel'}`)}
      actions={
        <ConnectButton
          projectId={projectId}
          platform={way}
          label={t('connect.named', { platform: title })}
          look="outline"
          isOff={!mayEdit}
        >
          {t('connect.button')}
        </ConnectButton>
      }
    />
  )
}
