import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { q } from '#src/api/query.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import type { View } from './broadcasts-view.ts'

interface Props {
  readonly projectId: number
  readonly view: View
  readonly onChange: (change: Partial<View>) => void
}

/** History filters: platform, from and to dates. */
export function BroadcastsTools({ projectId, view, onChange }: Props) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'tools' })
  const list = useQuery(q(channels.short, { project_id: projectId }))
  // A shared link may name a platform that the project no longer uses.
  const types = new Set([...(list.data?.results ?? []).map(({ type }) => type), ...[view.platform].filter(Boolean)])
  return (
    <Toolbar label={t('title')}>
      <FilterField
        label={t('platform')}
        value={view.platform}
        choices={[
          { value: '', label: t('anyPlatform') },
          ...[...types].map((type) => ({ value: type, label: platformNamed(type).title })),
        ]}
        onChange={(platform) => onChange({ platform })}
      />
      <DaysFilter days={view} onChange={onChange} />
    </Toolbar>
  )
}
