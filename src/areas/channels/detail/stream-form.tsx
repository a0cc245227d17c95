import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/channels/settings.ts'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { forms } from '#contract/platforms/forms.gen.ts'
import { categoryPlatforms, type FormPlatform, isOneOf } from '#contract/platforms/platforms.ts'
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
  readonly type: FormPlatform
}

type SetOptions = WriteOperation<(typeof settings.setOk)['input'], (typeof settings.setOk)['output']>

/** Typed as the smallest operation; the contract's schema decides which fields are sent. */
const operationOf = (type: FormPlatform) => settings[forms[type].operation] as unknown as SetOptions

/** Stream settings of a platform, with its own fields and limits. */
export function StreamForm({ projectId, channel, type }: Props) {
  const { t } = useTranslation('channels')
  return (
    <FormCard
      projectId={projectId}
      title={t('stream.title')}
      note={t('stream.note', { platform: channel.platform.title })}
      saved={valuesOf(type, channel.streamInfo)}
      op={operationOf(type)}
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
          {channel.account !== null && isOneOf(categoryPlatforms, type) && (
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
