import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileChoice } from '#src/components/file-choice.tsx'
import styles from './account.module.css'
import { type PictureProblem, pictureProblem } from '#src/components/picture-check.ts'

interface Props {
  readonly texts: { readonly alt: string; readonly choose: string; readonly replace: string }
  /** URL of the saved picture. */
  readonly saved: string | null | undefined
  /** Shown without a picture. */
  readonly placeholder: ReactNode
  /** Selected file that is not saved yet. */
  readonly file: File | undefined
  /** Sentence about the selected file. */
  readonly note?: string | undefined
  /** Error from the service. */
  readonly refused: string | undefined
  readonly onChange: (file: File | undefined) => void
}

/** Field for a JPEG or PNG: select, preview and validate before upload. */
export function PictureField({ texts, saved, placeholder, file, note, refused, onChange }: Props) {
  const { t } = useTranslation('account')
  const id = useId()
  const [problem, setProblem] = useState<PictureProblem | null>(null)
  const preview = usePreview(file)
  const shown = preview ?? saved

  const choose = async (chosen: File) => {
    const found = await pictureProblem(chosen)
    setProblem(found)
    onChange(found ? undefined : chosen)
  }
  const wrong = problem ? t(`avatar.${problem}`) : refused

  return (
    <div className={styles.avatar}>
      {shown ? (
        <img src={shown} alt={texts.alt} width={84} height={84} className={styles.photo} />
      ) : (
        <span className={styles.photo} aria-hidden>
          {placeholder}
        </span>
      )}
      <div className={styles.avatarWords}>
        <FileChoice
          accept="image/jpeg,image/png"
          describedBy={id}
          onChoice={([chosen]) => chosen && void choose(chosen)}
        >
          {shown ? texts.replace : texts.choose}
        </FileChoice>
        <output id={id} className={styles.note} data-bad={wrong !== undefined || undefined}>
          {wrong ?? note ?? t('avatar.rule')}
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
