import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type FilterMode, type Post, telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import type { Output } from '#contract/core/operation.ts'
import { q } from '#src/api/query.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { FormCard } from './form-card.tsx'

interface Props {
  readonly projectId: number
  readonly channelId: number
  readonly chosen: NonNullable<Output<typeof telegramChat.settings>['data']>
}

const modes = ['newest', 'pinned', 'chosen', 'linked'] as const
/** Maximum length of a post in the list, characters. */
const textMax = 60

/** Selects the post for comments. */
export function TelegramChoice({ projectId, channelId, chosen }: Props) {
  const { t } = useTranslation('telegram-chat')
  const place = { project_id: projectId, channel_id: channelId }
  const list = useQuery({ ...q(telegramChat.posts, place), retry: false })
  const { post } = chosen
  const posts = list.data?.results ?? (post ? [post] : [])
  return (
    <FormCard
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
    </FormCard>
  )
}

/** One-line summary of a post. */
function wordsOf({ text, message_id: id }: Post): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const short = line.length > textMax ? `${line.slice(0, textMax)}…` : line
  return short === '' ? `#${id}` : short
}
