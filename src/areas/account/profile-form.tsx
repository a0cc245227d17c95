import { useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Profile, profile as operations } from '#contract/areas/account/profile.ts'
import { toApiError } from '#src/api/api-error.ts'
import { keyOf, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { LeaveGuard } from '#src/components/leave-guard.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './account.module.css'
import { AvatarField } from './avatar-field.tsx'

interface Draft {
  readonly firstName?: string
  readonly lastName?: string
  readonly avatar?: File
}

const nameMax = 255

/** Form for name and avatar; keeps input until it is saved or discarded. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account')
  const why = useFailureText()
  const queries = useQueryClient()
  const noteId = useId()
  const [draft, setDraft] = useState<Draft>({})
  const [isSaved, setSaved] = useState(false)
  const { firstName = profile.firstName, lastName = profile.lastName, avatar } = draft
  const isDirty = firstName !== profile.firstName || lastName !== profile.lastName || avatar !== undefined

  const save = useWrite(operations.update, {
    onSuccess: async () => {
      const queryKey = keyOf(operations.get, {})
      queries.setQueryData(queryKey, { ...profile, firstName, lastName })
      // Only the service knows the URL of the new avatar.
      if (avatar) await queries.refetchQueries({ queryKey })
      setDraft({})
      setSaved(true)
    },
  })
  const failure = save.error ? toApiError(save.error) : null
  const errorOf = (field: string) => failure?.fields[field]?.join(' ')

  const change = (part: Draft) => {
    setDraft((now) => ({ ...now, ...part }))
    setSaved(false)
    if (!save.isPending) save.reset()
  }
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isDirty && !save.isPending) save.mutate({ first_name: firstName.trim(), last_name: lastName.trim(), avatar })
  }

  return (
    <Card title={t('profile.title')}>
      <form className={styles.form} onSubmit={handleSubmit} noValidate>
        <AvatarField
          photo={profile.photo}
          initials={`${firstName.trim().slice(0, 1)}${lastName.trim().slice(0, 1)}`}
          file={avatar}
          refused={errorOf('avatar')}
          onChange={(file) => {
            const { avatar: _, ...rest } = draft
            setDraft(file ? { ...rest, avatar: file } : rest)
            setSaved(false)
            save.reset()
          }}
        />
        <div className={styles.names}>
          <TextField
            label={t('profile.firstName')}
            value={firstName}
            maxLength={nameMax}
            autoComplete="given-name"
            error={errorOf('first_name')}
            onChange={(value) => change({ firstName: value })}
          />
          <TextField
            label={t('profile.lastName')}
            value={lastName}
            maxLength={nameMax}
            autoComplete="family-name"
            error={errorOf('last_name')}
            onChange={(value) => change({ lastName: value })}
          />
        </div>
        <div className={styles.actions}>
          <Button type="submit" isBusy={save.isPending} isOff={!isDirty} aria-describedby={noteId}>
            {t('profile.save')}
          </Button>
          {isDirty && !save.isPending && (
            <Button look="quiet" onClick={() => setDraft({})}>
              {t('profile.undo')}
            </Button>
          )}
          <output id={noteId} className={styles.note} data-bad={save.error !== null || undefined}>
            {stateText()}
          </output>
        </div>
        <LeaveGuard isDirty={isDirty} />
      </form>
    </Card>
  )

  function stateText(): string {
    if (save.error) return t('profile.notSaved', { why: why(save.error) })
    if (isSaved) return t('profile.saved')
    return isDirty ? t('profile.unsaved') : t('profile.nothing')
  }
}
