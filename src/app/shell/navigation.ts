// Navigation as a table for the rail, the bottom bar and the command palette.
import {
  IconBell,
  IconBroadcast,
  IconChartLine,
  IconCoins,
  IconGauge,
  IconMessages,
  IconMovie,
  IconPlugConnected,
  IconReceipt2,
  IconShare3,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { useAbsentPages } from '#src/stores/absent.ts'

export interface Entry {
  /** Key of its label in `common.nav`. */
  readonly key: string
  readonly icon: typeof IconGauge
  readonly to: (projectId: number | string) => string
  /** Hidden while plans do not apply. */
  readonly needsPlans?: true
  /** In the bottom bar of a phone. */
  readonly onPhone?: true
}

/** Groups in the order of the rail. */
const navigation: readonly { readonly key: string; readonly entries: readonly Entry[] }[] = [
  {
    key: 'stream',
    entries: [
      { key: 'home', icon: IconGauge, to: paths.home, onPhone: true },
      { key: 'broadcasts', icon: IconBroadcast, to: paths.broadcasts },
      { key: 'channels', icon: IconShare3, to: (projectId) => paths.channels(projectId), onPhone: true },
      { key: 'ingest', icon: IconPlugConnected, to: paths.ingest, onPhone: true },
      { key: 'chat', icon: IconMessages, to: paths.chat },
      { key: 'media', icon: IconMovie, to: paths.media },
      { key: 'analytics', icon: IconChartLine, to: paths.analytics },
    ],
  },
  {
    key: 'business',
    entries: [
      { key: 'tariffs', icon: IconCoins, to: (projectId) => paths.tariffs(projectId), onPhone: true },
      { key: 'billing', icon: IconReceipt2, to: (projectId) => paths.billing(projectId), needsPlans: true },
    ],
  },
  {
    key: 'team',
    entries: [
      { key: 'project', icon: IconUsersGroup, to: (projectId) => paths.project(projectId) },
      { key: 'notifications', icon: IconBell, to: (projectId) => paths.notifications(projectId) },
    ],
  },
]

/** Returns the groups for this installation: without pages of plans where plans do not apply, and without absent pages. */
export function useNavigation(): typeof navigation {
  const { hasPlans } = useInstallation()
  const absent = useAbsentPages()
  return useMemo(
    () =>
      navigation
        .map((group) => ({
          ...group,
          entries: group.entries.filter(({ key, needsPlans }) => (hasPlans || !needsPlans) && !absent.has(key)),
        }))
        .filter(({ entries }) => entries.length > 0),
    [hasPlans, absent],
  )
}
