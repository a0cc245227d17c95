import {
  IconAlertTriangle,
  IconBan,
  IconBroadcast,
  IconLoader2,
  IconPlayerStop,
  IconPlugConnected,
  IconRefresh,
  IconZzz,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { RestreamState } from '#contract/entities/on-air.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'

const looks: Readonly<Record<RestreamState, readonly [Tone, typeof IconBroadcast]>> = {
  idle: ['neutral', IconZzz],
  connecting: ['accent', IconPlugConnected],
  publishing: ['accent', IconLoader2],
  live: ['ok', IconBroadcast],
  degraded: ['warn', IconAlertTriangle],
  backoff: ['warn', IconRefresh],
  rejected: ['warn', IconBan],
  stopped: ['neutral', IconPlayerStop],
}

interface Props {
  readonly state: RestreamState
  /** Nobody knows whether it is still so. */
  readonly isLastKnown?: boolean
}

/** How a channel ended that was in trouble: without ever being live, or disconnected. */
export function OutcomeBadge({ outcome }: { readonly outcome: 'never' | 'ended' }) {
  const { t } = useTranslation('live')
  const Icon = outcome === 'never' ? IconBan : IconAlertTriangle
  return (
    <Badge tone="warn" icon={<Icon size={14} aria-hidden />}>
      {t(`outcome.${outcome}`)}
    </Badge>
  )
}

/** What a channel does while the project is on air, in a word with its sign. */
export function RestreamBadge({ state, isLastKnown = false }: Props) {
  const { t } = useTranslation('live')
  const [tone, Icon] = looks[state]
  const word = t(`state.${state}`)
  return (
    <Badge tone={isLastKnown ? 'neutral' : tone} icon={<Icon size={14} aria-hidden />}>
      {isLastKnown ? t('lastKnown', { word }) : word}
    </Badge>
  )
}
