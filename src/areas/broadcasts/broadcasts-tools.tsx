import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { q } from '#src/api/query.ts'
import { usePlatform } from '#src/components/use-platform.ts'
import { TextField } from '#src/ui/text-field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Toolbar } from '#src/ui/toolbar.tsx'
import styles from './broadcasts.module.css'
import type { View } from './broadcasts-view.ts'

interface Props {
  readonly projectId: number
  readonly view: View
  readonly onChange: (change: Partial<View>) => void
}

/** Filters of the history: where it went, from when to when. */
export function BroadcastsTools({ projectId, view, onChange }: Props) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'tools' })
  const platformOf = usePlatform()
  const list = useQuery(q(channels.short, { project_id: projectId }))
  // A platform that the project has left may be in a link that was sent on.
  const types = new Set([...(list.data?.results ?? []).map(({ type }) => type), ...[view.platform].filter(Boolean)])
  return (
    <Toolbar label={t('title')}>
      <SelectField
        label={t('platform')}
        value={view.platform}
        choices={[
          { value: '', label: t('anyPlatform') },
          ...[...types].map((type) => ({ value: type, label: platformOf(type).title })),
        ]}
        onChange={(platform) => onChange({ platform })}
      />
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className={styles.dates}>
          <TextField
            label={t(end)}
            type="date"
            max="9999-12-31"
            value={view[end]}
            onChange={(value) => onChange({ [end]: value })}
          />
        </div>
      ))}
    </Toolbar>
  )
}
