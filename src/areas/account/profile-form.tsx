import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Profile, profile as operations } from '#contract/areas/account/profile.ts'
import { keyOf } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { LeaveGuard } from '#src/components/leave-guard.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'
import { PictureField } from './picture-field.tsx'

const nameMax = 255

/** Form for name and avatar; keeps input until it is saved or discarded. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account')
  const why = useFailureText()
  const queries = useQueryClient()
  const noteId = useId()
  const form = useWriteForm({
    op: operations.update,
    values: { first_name: profile.firstName, last_name: profile.lastName, avatar: undefined as File | undefined },
    inputOf: ({ first_name, last_name, avatar }) => ({
      first_name: first_name.trim(),
      last_name: last_name.trim(),
      avatar,
    }),
    next: async (sent) => {
      const queryKey = keyOf(operations.get, {})
      queries.setQueryData(queryKey, { ...profile, firstName: sent.first_name, lastName: sent.last_name })
      // Only the service knows the URL of the new avatar.
      if (sent.avatar) await queries.refetchQueries({ queryKey })
      return { ...sent, avatar: undefined }
    },
  })
  const { values, isDirty, isBusy, write } = form
  const avatar = form.field('avatar')

  return (
    <Card title={t('profile.title')}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <PictureField
          texts={{ alt: t('avatar.alt'), choose: t('avatar.choose'), replace: t('avatar.replace') }}
          saved={profile.photo}
          placeholder={`${values.first_name.trim().slice(0, 1)}${values.last_name.trim().slice(0, 1)}` || '?'}
          file={avatar.value}
          note={avatar.value && t('avatar.chosen', { name: avatar.value.name })}
          refused={avatar.error}
          onChange={avatar.onChange}
        />
        <div className={styles.names}>
          <TextField
            label={t('profile.firstName')}
            maxLength={nameMax}
            autoComplete="given-name"
            {...form.field('first_name')}
          />
          <TextField
            label={t('profile.lastName')}
            maxLength={nameMax}
            autoComplete="family-name"
            {...form.field('last_name')}
          />
        </div>
        <div className={styles.actions}>
          <Button type="submit" isBusy={isBusy} isOff={!isDirty} aria-describedby={noteId}>
            {t('profile.save')}
          </Button>
          {isDirty && !isBusy && (
            <Button look="quiet" onClick={form.undo}>
              {t('profile.undo')}
            </Button>
          )}
          <output id={noteId} className={styles.note} data-bad={write.error !== null || undefined}>
            {stateText()}
          </output>
        </div>
        <LeaveGuard isDirty={isDirty} />
      </form>
    </Card>
  )

  function stateText(): string {
    if (write.error) return t('profile.notSaved', { why: why(write.error) })
    if (form.output) return t('profile.saved')
    return isDirty ? t('profile.unsaved') : t('profile.nothing')
  }
}
