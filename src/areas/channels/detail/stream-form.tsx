import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/channels/settings.ts'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import type { Channel, OptionPlatform } from '#contract/entities/channel.ts'
import { type CategoryPlatform, categoryPlatforms } from '#contract/entities/platform-account.ts'
import { Note } from '#src/ui/note.tsx'
import { CategoryField } from './category-field.tsx'
import { FormCard } from './form-card.tsx'
import { PlaylistField } from './playlist-field.tsx'
import { StreamFieldInput } from './stream-field-input.tsx'
import { fieldsOf, hasField, streamInputOf, valuesOf } from './stream-fields.ts'
import { StreamPreview } from './stream-preview.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
  readonly type: OptionPlatform
}

type SetOptions = WriteOperation<(typeof settings.setOk)['input'], (typeof settings.setOk)['output']>

/** Typed as the smallest operation; the contract's schema decides which fields are sent. */
const operations = {
  youtube: settings.setYoutube,
  vk: settings.setVk,
  vkvideolive: settings.setVkVideoLive,
  ok: settings.setOk,
  twitch: settings.setTwitch,
  trovo: settings.setTrovo,
} as unknown as Readonly<Record<OptionPlatform, SetOptions>>

/** Platforms with a category search. */
const hasCategories = (type: OptionPlatform): type is OptionPlatform & CategoryPlatform =>
  categoryPlatforms.some((one) => one === type)

/** Stream settings of a platform, with its own fields and limits. */
export function StreamForm({ projectId, channel, type }: Props) {
  const { t } = useTranslation('channels')
  return (
    <FormCard
      projectId={projectId}
      title={t('stream.title')}
      note={t('stream.note', { platform: channel.platform.title })}
      saved={valuesOf(type, channel.streamInfo)}
      op={operations[type]}
      inputOf={(values) =>
        ({ project_id: projectId, channel_id: channel.group_id, ...streamInputOf(type, values) }) as Input<SetOptions>
      }
    >
      {({ values, change, field }) => (
        <>
          {channel.account === null && (
            <Note tone="warn">{t('stream.noAccount', { platform: channel.platform.title })}</Note>
          )}
          <StreamPreview channel={channel} values={values} />
          {fieldsOf(type).map((one) => (
            <StreamFieldInput key={one.name} field={one} {...field(one.name)} />
          ))}
          {channel.account !== null && hasCategories(type) && (
            <CategoryField projectId={projectId} type={type} values={values} onChange={change} />
          )}
          {channel.account !== null && hasField(type, 'playlist_id') && (
            <PlaylistField
              projectId={projectId}
              channel={channel}
              value={String(values['playlist_id'])}
              onChange={(id) => change({ playlist_id: id })}
            />
          )}
        </>
      )}
    </FormCard>
  )
}
