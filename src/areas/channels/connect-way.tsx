import { useTranslation } from 'react-i18next'
import type { Platform } from '#contract/entities/channel.ts'
import { Card } from '#src/ui/card.tsx'

interface Props {
  readonly projectId: number
  readonly platform: Platform
}

/** Adding a channel by connecting an account of its platform. */
export function ConnectWay({ platform }: Props) {
  const { t } = useTranslation('channels')
  return <Card title={t('connect.title', { platform: platform.title })} note={t('connect.notReady')} look="quiet" />
}
