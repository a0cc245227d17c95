import { type ChangeEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './channel.module.css'

interface Props {
  readonly label: string
  readonly value: string
  /** Maximum length of the value in characters: the image is sent as text. */
  readonly limit: number
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** Image of a stream: a small file, stored in the form as text. */
export function ImageField({ label, value, limit, error, onChange }: Props) {
  const { t } = useTranslation('channels')
  const id = useId()
  const [isTooLarge, setTooLarge] = useState(false)
  const handleChoice = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = reader.result as string
      setTooLarge(text.length > limit)
      if (text.length <= limit) onChange(text)
    })
    reader.readAsDataURL(file)
  }
  return (
    <div className={styles.image}>
      <span className={styles.imageLabel}>{label}</span>
      <label className={styles.pick}>
        {t(value ? 'image.replace' : 'image.choose')}
        <input
          type="file"
          accept="image/jpeg,image/png"
          className="visually-hidden"
          aria-describedby={id}
          onChange={handleChoice}
        />
      </label>
      {value && (
        <button type="button" className={styles.drop} onClick={() => onChange('')}>
          {t('image.remove')}
        </button>
      )}
      <output id={id} className={styles.imageNote} data-bad={isTooLarge || Boolean(error) || undefined}>
        {isTooLarge ? t('image.tooLarge', { kb: maxKb(limit) }) : error || t('image.rule', { kb: maxKb(limit) })}
      </output>
    </div>
  )
}

/** Largest file in KB that fits: base64 needs four characters for three bytes. */
const maxKb = (limit: number): number => Math.floor((limit * 3) / 4 / 1024)
