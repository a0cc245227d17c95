import { type ChangeEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './account.module.css'
import { type AvatarProblem, avatarProblem } from './avatar-check.ts'

interface Props {
  /** The picture as the server has it. */
  readonly photo: string | null | undefined
  readonly initials: string
  /** The picture that was chosen and is not saved yet. */
  readonly file: File | undefined
  /** Why the server refused it. */
  readonly refused: string | undefined
  readonly onChange: (file: File | undefined) => void
}

/** The picture of the person: chosen, looked at, and checked before anything is sent. */
export function AvatarField({ photo, initials, file, refused, onChange }: Props) {
  const { t } = useTranslation('account')
  const id = useId()
  const [problem, setProblem] = useState<AvatarProblem | null>(null)
  const preview = usePreview(file)
  const shown = preview ?? photo

  const handleChoice = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const chosen = input.files?.[0]
    // The same file may be chosen again after a refusal.
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

/** A file as an address that the browser can show; null until it has been read. */
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
