import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type FilterMode, type Post, telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import type { Output } from '#contract/core/operation.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { usePlatforms } from '#src/components/use-platform.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { CardPart } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { FormPart } from './settings-card.tsx'
import { CopyIcon } from '#src/ui/copy-button.tsx'

interface TelegramChoiceProps {
  readonly projectId: number
  readonly channelId: number
  readonly chosen: NonNullable<Output<typeof telegramChat.settings>['data']>
}

const modes = ['newest', 'pinned', 'chosen', 'linked'] as const
/** Maximum length of a post in the list, characters. */
const textMax = 60

/** Selects the post for comments. */
function TelegramChoice({ projectId, channelId, chosen }: TelegramChoiceProps) {
  const { t } = useTranslation('telegram-chat')
  const place = { project_id: projectId, channel_id: channelId }
  const list = useQuery({ ...q(telegramChat.posts, place), retry: false })
  const { post } = chosen
  const posts = list.data?.results ?? (post ? [post] : [])
  return (
    <FormPart
      projectId={projectId}
      title={t('title')}
      note={post ? t('choice.now', { text: wordsOf(post) }) : t('choice.noPost')}
      saved={{ filter_mode: String(chosen.filter_mode), message_id: String(post?.message_id ?? ''), link: '' }}
      op={telegramChat.setSettings}
      inputOf={({ filter_mode: mode, message_id, link }) => ({
        ...place,
        filter_mode: Number(mode) as FilterMode,
        ...(mode === '2' ? { message_id: Number(message_id) } : {}),
        ...(mode === '3' ? { link: link.trim() } : {}),
      })}
      messages={{ link: t('choice.noLink') }}
      rules={({ filter_mode: mode, message_id }) => ({
        message_id: mode === '2' && message_id === '' ? t('choice.noPost') : undefined,
      })}
    >
      {({ values, field }) => (
        <>
          <SelectField
            label={t('choice.label')}
            choices={modes.map((word, mode) => ({ value: String(mode), label: t(`choice.${word}`) }))}
            {...field('filter_mode')}
          />
          {values.filter_mode === '2' && (
            <SelectField
              label={t('choice.post')}
              choices={posts.map((one) => ({ value: String(one.message_id), label: wordsOf(one) }))}
              {...field('message_id')}
            />
          )}
          {values.filter_mode === '3' && (
            <TextField label={t('choice.link')} hint={t('choice.linkHint')} type="url" {...field('link')} />
          )}
        </>
      )}
    </FormPart>
  )
}

/** One-line summary of a post. */
function wordsOf({ text, message_id: id }: Post): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const short = line.length > textMax ? `${line.slice(0, textMax)}…` : line
  return short === '' ? `#${id}` : short
}

interface Props {
  readonly projectId: number
  readonly channel: Channel
}

/** Chat of a Telegram channel: connects it by a code, and selects the post for comments. */
export function TelegramPart({ projectId, channel }: Props) {
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
      <CardPart title={t('title')} note={t('noBot')}>
        {settings && <p>{t('missing', { settings })}</p>}
      </CardPart>
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
          <CardPart title={t('title')} note={t('note')}>
            <TelegramCode place={place} isLooking={query.isFetching} onLook={() => void query.refetch()} />
          </CardPart>
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
    <CardPart title={t('connected.title')} note={chat.domain ? `${chat.name} · @${chat.domain}` : chat.name}>
      <div className={styles.act}>
        <Button look="outline" isBusy={disconnect.isPending} onClick={() => disconnect.mutate(place)}>
          {t('connected.disconnect')}
        </Button>
        <div role="alert" className={styles.problem}>
          {disconnect.error && <Refusal projectId={place.project_id} error={disconnect.error} />}
        </div>
      </div>
    </CardPart>
  )
}

interface TelegramCodeProps {
  readonly place: { readonly project_id: number; readonly channel_id: number }
  readonly isLooking: boolean
  /** Checks again for the posted code. */
  readonly onLook: () => void
}

/** Steps to connect a chat, with the code to post there. */
function TelegramCode({ place, isLooking, onLook }: TelegramCodeProps) {
  const { t } = useTranslation('telegram-chat')
  const init = useWrite(telegramChat.init)
  return (
    <div className={styles.act}>
      {init.data ? (
        <>
          <ol className={styles.steps}>
            <li>{t('code.letIn', { bot: `@${init.data.bot}` })}</li>
            <li>
              {t('code.post')} <code className={styles.code}>{init.data.code}</code>
              <CopyIcon
                text={init.data.code}
                words={{ idle: t('code.copy'), copied: t('code.copied'), refused: t('code.refused') }}
              />
            </li>
          </ol>
          <Button isBusy={isLooking} onClick={onLook}>
            {t('code.done')}
          </Button>
        </>
      ) : (
        <Button look="outline" isBusy={init.isPending} onClick={() => init.mutate(place)}>
          {t('code.get')}
        </Button>
      )}
      <div role="alert" className={styles.problem}>
        {init.error && <Refusal projectId={place.project_id} error={init.error} />}
      </div>
    </div>
  )
}
