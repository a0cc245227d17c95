// Actions of the command palette: broadcast, stream key and channels. Lists only actions that the user may take; the
// service decides in any case.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useStatus } from '#src/areas/broadcasts/use-status.ts'
import { useSwitch } from '#src/areas/channels/use-switch.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { copyText } from '#src/ui/copy-button.tsx'
import type { Command } from './command.ts'

/** Maximum age of the status without a realtime connection, milliseconds. */
const everyMs = 10_000

/**
 * Actions that are available now.
 * @returns first those of the broadcast, then a switch for each channel
 */
export function useActs(projectId: number): readonly Command[] {
  const { t, ready } = useTranslation(['common', 'home', 'channels'], { useSuspense: false })
  const mayEdit = useMayEdit(projectId, false)
  const ofAir = useAirActs(projectId)
  const queries = useQueryClient()
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 })).data
  const flip = useSwitch(projectId)
  if (!ready) return []

  const copyKey = async () => {
    const { key } = await queries.fetchQuery(q(streamKeys.get, { project_id: projectId }))
    await copyText(key)
  }
  return [
    ...(mayEdit ? ofAir : []),
    ...(mayEdit ? [{ label: t('home:copy.key'), group: t('nav.ingest'), act: copyKey }] : []),
    ...(list?.results ?? [])
      .filter(({ access_type }) => mayEdit && roleCan(access_type, 'editor'))
      .map(({ group_id: channel_id, name, active }) => ({
        id: `switch ${channel_id}`,
        label: t(`channels:act.${active ? 'off' : 'on'}`, { name }),
        group: t('nav.channels'),
        act: () => flip.mutateAsync({ channel_id, status: !active, project_id: projectId }),
      })),
  ]
}

/** Actions for the running broadcast; empty while off air. */
function useAirActs(projectId: number): readonly Command[] {
  const { t } = useTranslation(['common', 'home'], { useSuspense: false })
  const { data } = useStatus(projectId, everyMs)
  const [stop, pause, play, retry] = [
    useWrite(broadcasts.stop),
    useWrite(broadcasts.pause),
    useWrite(broadcasts.play),
    useWrite(broadcasts.retry),
  ]
  if (data?.kind !== 'live') return []
  const group = t('onAir.on')
  const on = { project_id: projectId, broadcast_id: data.broadcast_id }
  const isPaused = data.action === 'stopped'
  const failing = isPaused ? [] : data.restreams.filter(({ state }) => state === 'backoff' || state === 'rejected')
  return [
    {
      label: t('home:stop.confirm'),
      group,
      act: () => stop.mutateAsync(on),
      ask: { title: t('home:stop.title'), text: t('home:stop.text'), keep: t('home:stop.keep') },
    },
    isPaused
      ? { label: t('home:pause.resume'), group, act: () => play.mutateAsync(on) }
      : { label: t('home:pause.button'), group, act: () => pause.mutateAsync(on) },
    ...failing.flatMap(({ channel_id, name }) =>
      channel_id === undefined
        ? []
        : {
            id: `retry ${channel_id}`,
            label: t('home:channels.retryOne', { name }),
            group,
            act: () => retry.mutateAsync({ ...on, channel_id }),
          },
    ),
  ]
}
