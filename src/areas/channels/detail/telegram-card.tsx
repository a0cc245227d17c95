import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import type { Output } from '#contract/core/operation.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { usePlatforms } from '#src/components/use-platform.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { TelegramChoice } from './telegram-choice.tsx'
import { TelegramCode } from './telegram-code.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Chat of a Telegram channel: connects it by a code, and selects the post for comments. */
export function TelegramCard({ projectId, channel }: Props) {
  const { t } = useTranslation('telegram-chat')
  const { isOperator } = useInstallation()
  const place = { project_id: projectId, channel_id: channel.group_id }
  const list = usePlatforms()
  const telegram = list.data?.results.find(({ type }) => type === 'telegram')
  const hasBot = telegram?.bot_ready !== 0
  // A server that does not report whether it has a bot still gets the chat request.
  const query = useQuery({ ...q(telegramChat.settings, place), retry: false, enabled: list.isFetched && hasBot })
  const isRefused = query.error && toApiError(query.error).name === 'ProviderNotConfigured'
  if (!hasBot || isRefused) {
    const settings = isOperator && telegram?.missing_settings?.join(', ')
    return (
      <Card title={t('title')} note={t('noBot')} look="quiet">
        {settings && <p>{t('missing', { settings })}</p>}
      </Card>
    )
  }
  return (
    <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={170} />}>
      {({ data }) =>
        data ? (
          <>
            <TelegramChoice projectId={projectId} channelId={channel.group_id} chosen={data} />
            <Connected place={place} chat={data.chat} />
          </>
        ) : (
          <Card title={t('title')} note={t('note')}>
            <TelegramCode place={place} isLooking={query.isFetching} onLook={() => void query.refetch()} />
          </Card>
        )
      }
    </QueryPart>
  )
}

interface ConnectedProps {
  readonly place: { readonly project_id: number; readonly channel_id: number }
  readonly chat: NonNullable<Output<typeof telegramChat.settings>['data']>['chat']
}

function Connected({ place, chat }: ConnectedProps) {
  const { t } = useTranslation('telegram-chat')
  const disconnect = useWrite(telegramChat.disconnect)
  return (
    <Card title={t('connected.title')} note={chat.domain ? `${chat.name} · @${chat.domain}` : chat.name} look="quiet">
      <div className={styles.act}>
        <Button look="outline" isBusy={disconnect.isPending} onClick={() => disconnect.mutate(place)}>
          {t('connected.disconnect')}
        </Button>
        <div role="alert" className={styles.problem}>
          {disconnect.error && <Refusal projectId={place.project_id} error={disconnect.error} />}
        </div>
      </div>
    </Card>
  )
}
