import { useTranslation } from 'react-i18next'
import { type Preferences, settings } from '#contract/areas/notifications/settings.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './notifications.module.css'

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Quiet hours of the user, in a time zone. Without a time there are none. */
export function QuietForm({ quiet }: { readonly quiet: Preferences['quiet'] }) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const zone = quiet?.time_zone ?? ownZone
  const form = useWriteForm({
    op: settings.setPreferences,
    area: 'notifications',
    values: {
      state: quiet ? (quiet.important ? 'stream' : 'all') : 'off',
      from: quiet?.from ?? '22:00',
      to: quiet?.to ?? '08:00',
    },
    inputOf: ({ state, from, to }) => ({
      quiet: state === 'off' ? null : { from, to, time_zone: zone, important: state === 'stream' },
    }),
  })
  const { output, problem } = form
  const isOn = form.values.state !== 'off'
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <SelectField
        label={t('quiet.state')}
        choices={[
          { value: 'off', label: t('quiet.off') },
          { value: 'stream', label: t('quiet.stream') },
          { value: 'all', label: t('quiet.all') },
        ]}
        {...form.field('state')}
      />
      {isOn && (
        <div className={styles.times}>
          <TextField label={t('quiet.from')} type="time" required {...form.field('from')} />
          <TextField label={t('quiet.to')} type="time" required {...form.field('to')} />
        </div>
      )}
      {isOn && <p className={styles.hint}>{t('quiet.zone', { zone })}</p>}
      <div className={styles.actions}>
        <Button type="submit" isBusy={form.isBusy} isOff={!form.isDirty}>
          {t('quiet.save')}
        </Button>
      </div>
      <Note tone={problem ? 'live' : 'ok'}>{problem ? why(problem) : output ? t('quiet.saved') : ''}</Note>
    </form>
  )
}
