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
      saved={{ mode: String(chosen.filter_mode), message: String(post?.message_id ?? ''), link: '' }}
      op={telegramChat.setSettings}
      inputOf={({ mode, message, link }) => ({
        ...place,
        filter_mode: Number(mode) as FilterMode,
        ...(mode === '2' ? { message_id: Number(message) } : {}),
        ...(mode === '3' ? { link: link.trim() } : {}),
      })}
      wrong={({ mode, message, link }) =>
        mode === '2' && message === ''
          ? t('choice.noPost')
          : mode === '3' && link.trim() === ''
            ? t('choice.noLink')
            : null
      }
    >
      {({ values, change, errorOf }) => (
        <>
          <SelectField
            label={t('choice.label')}
            value={values.mode}
            error={errorOf('filter_mode')}
            choices={modes.map((word, mode) => ({ value: String(mode), label: t(`choice.${word}`) }))}
            onChange={(mode) => change({ mode })}
          />
          {values.mode === '2' && (
            <SelectField
              label={t('choice.post')}
              value={values.message}
              error={errorOf('message_id')}
              choices={posts.map((one) => ({ value: String(one.message_id), label: wordsOf(one) }))}
              onChange={(message) => change({ message })}
            />
          )}
          {values.mode === '3' && (
            <TextField
              label={t('choice.link')}
              hint={t('choice.linkHint')}
              type="url"
              value={values.link}
              error={errorOf('link')}
              onChange={(link) => change({ link })}
            />
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
