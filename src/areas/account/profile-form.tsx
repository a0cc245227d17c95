import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useId, useState } from 'react'
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
import { type AvatarProblem, avatarProblem } from './avatar-check.ts'

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
        <AvatarField
          photo={profile.photo}
          initials={`${values.first_name.trim().slice(0, 1)}${values.last_name.trim().slice(0, 1)}`}
          file={avatar.value}
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

interface AvatarFieldProps {
  /** URL of the saved avatar. */
  readonly photo: string | null | undefined
  readonly initials: string
  /** Selected file that is not saved yet. */
  readonly file: File | undefined
  /** Error from the service. */
  readonly refused: string | undefined
  readonly onChange: (file: File | undefined) => void
}

/** Avatar field: select, preview and validate before upload. */
function AvatarField({ photo, initials, file, refused, onChange }: AvatarFieldProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [problem, setProblem] = useState<AvatarProblem | null>(null)
  const preview = usePreview(file)
  const shown = preview ?? photo

  const handleChoice = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const chosen = input.files?.[0]
    // Lets the user select the same file again after an error.
    input.value = ''
    if (!chosen) return
    const found = await avatarProblem(chosen)
    setProblem(found)
    onChange(found ? undefined : chosen)
  }
  const wrong = problem ? t(`avatar.${problem}`) : refused

  return (
    <div className={styles.avatar}>
      {shown ? (
        <img src={shown} alt={t('avatar.alt')} width={84} height={84} className={styles.photo} />
      ) : (
        <span className={styles.photo} aria-hidden>
          {initials || '?'}
        </span>
      )}
      <div className={styles.avatarWords}>
        <label className={styles.choose}>
          {t(shown ? 'avatar.replace' : 'avatar.choose')}
          <input
            type="file"
            accept="image/jpeg,image/png"
            className="visually-hidden"
            aria-describedby={id}
            onChange={(event) => void handleChoice(event)}
          />
        </label>
        <output id={id} className={styles.note} data-bad={wrong !== undefined || undefined}>
          {wrong ?? (file ? t('avatar.chosen', { name: file.name }) : t('avatar.rule'))}
        </output>
      </div>
    </div>
  )
}

/** Data URL of a file; null until it has been read. */
function usePreview(file: File | undefined): string | null {
  const [read, setRead] = useState<{ file: File; url: string } | null>(null)
  useEffect(() => {
    if (!file) return undefined
    const reader = new FileReader()
    reader.addEventListener('load', () => setRead({ file, url: reader.result as string }))
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return file && read?.file === file ? read.url : null
}
