// Navigation as a table for the rail, the bottom bar and the command palette.
import {
  IconBroadcast,
  IconBuildingStore,
  IconChartLine,
  IconCoins,
  IconGauge,
  IconHelpCircle,
  IconMessages,
  IconMovie,
  IconPlugConnected,
  IconShare3,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { useAbsentPages } from '#src/stores/absent.ts'

export interface Entry {
  /** Key of its label in `common.nav`. */
  readonly key: string
  readonly icon: typeof IconGauge
  readonly to: (projectId: number | string) => string
  /** Address of pages that belong to the entry, beside those below `to`. */
  readonly also?: (projectId: number | string) => string
  /** Shown only while plans apply, or to operators. */
  readonly needs?: 'plans' | 'operator'
  /** In the bottom bar of a phone. */
  readonly onPhone?: true
  /** Begins a block of the rail. */
  readonly isFirst?: true
}

/** Pages in the order of the rail. */
export const navigation: readonly Entry[] = [
  { key: 'home', icon: IconGauge, to: paths.home, onPhone: true },
  { key: 'channels', icon: IconShare3, to: (projectId) => paths.channels(projectId), onPhone: true },
  { key: 'ingest', icon: IconPlugConnected, to: (projectId) => paths.ingest(projectId) },
  { key: 'broadcasts', icon: IconBroadcast, to: (projectId) => paths.broadcasts(projectId), onPhone: true },
  { key: 'media', icon: IconMovie, to: paths.media },
  { key: 'chat', icon: IconMessages, to: paths.chat, onPhone: true },
  { key: 'analytics', icon: IconChartLine, to: paths.analytics },
  {
    key: 'plans',
    icon: IconCoins,
    to: (projectId) => paths.tariffs(projectId),
    also: (projectId) => paths.billing(projectId),
    needs: 'plans',
    isFirst: true,
  },
  { key: 'project', icon: IconUsersGroup, to: (projectId) => paths.project(projectId) },
  { key: 'help', icon: IconHelpCircle, to: () => paths.help(), isFirst: true },
  { key: 'operator', icon: IconBuildingStore, to: () => paths.operator(), needs: 'operator' },
]

/** Returns the pages for this user and installation, without absent ones. */
export function useNavigation(): readonly Entry[] {
  const { hasPlans, isOperator } = useInstallation()
  const absent = useAbsentPages()
  return useMemo(() => {
    const has = { plans: hasPlans, operator: isOperator === true }
    return navigation.filter(({ key, needs }) => (!needs || has[needs]) && !absent.has(key))
  }, [hasPlans, isOperator, absent])
}

/** Returns a function that gives `aria-current` of an entry. */
export function useCurrent(projectId: number | string): (entry: Entry) => 'page' | undefined {
  const { pathname } = useLocation()
  const isBelow = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  return ({ key, to, also }) => {
    const own = to(projectId)
    const isCurrent =
      key === 'home' ? pathname === own : isBelow(own) || (also !== undefined && isBelow(also(projectId)))
    return isCurrent ? 'page' : undefined
  }
}
