import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { planned } from '#contract/areas/channels/planned.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly channel: Channel
  readonly value: string
  readonly onChange: (playlistId: string) => void
}

/** Playlist of the broadcast, from the playlists on the platform. */
export function PlaylistField({ projectId, channel, value, onChange }: Props) {
  const { t } = useTranslation('channels')
  const list = useQuery(q(planned.playlists, { project_id: projectId, channel_id: channel.group_id }))
  const found = list.data?.results ?? []
  const isKnown = value === '' || found.some(({ id }) => id === value)
  return (
    <SelectField
      label={t('field.playlist_id')}
      error={list.error && <Refusal projectId={projectId} error={list.error} />}
      value={value}
      choices={[
        { value: '', label: t('playlist.none') },
        ...(isKnown ? [] : [{ value, label: value }]),
        ...found.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={onChange}
    />
  )
}
