import { useTranslation } from 'react-i18next'
import type { Days } from '#src/lib/days.ts'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './days-filter.module.css'

interface Props {
  readonly days: Days
  readonly onChange: (change: Partial<Days>) => void
}

/** Toolbar filters for the first and the last day. */
export function DaysFilter({ days, onChange }: Props) {
  const { t } = useTranslation('parts', { keyPrefix: 'days' })
  return (
    <div className={styles.days}>
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          label={t(end)}
          type="date"
          max="9999-12-31"
          value={days[end]}
          onChange={(value) => onChange({ [end]: value })}
        />
      ))}
    </div>
  )
}
