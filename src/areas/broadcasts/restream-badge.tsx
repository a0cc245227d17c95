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

const badges: Readonly<Record<RestreamState, readonly [Tone, typeof IconBroadcast]>> = {
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
  /** Set when the state may be outdated. */
  readonly isLastKnown?: boolean
}

/** Outcome of a failed channel: never live, or disconnected. */
export function OutcomeBadge({ outcome }: { readonly outcome: 'never' | 'ended' }) {
  const { t } = useTranslation('live')
  const Icon = outcome === 'never' ? IconBan : IconAlertTriangle
  return (
    <Badge tone="warn" icon={<Icon size={14} aria-hidden />}>
      {t(`outcome.${outcome}`)}
    </Badge>
  )
}

/** State of a channel during a broadcast, with an icon. */
export function RestreamBadge({ state, isLastKnown = false }: Props) {
  const { t } = useTranslation('live')
  const [tone, Icon] = badges[state]
  const word = t(`state.${state}`)
  return (
    <Badge tone={isLastKnown ? 'neutral' : tone} icon={<Icon size={14} aria-hidden />}>
      {isLastKnown ? t('lastKnown', { word }) : word}
    </Badge>
  )
}
