import { useTranslation } from 'react-i18next'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './channel.module.css'
import { ImageField } from './image-field.tsx'
import type { StreamField } from './stream-fields.ts'

interface Props {
  readonly field: StreamField
  readonly value: string | boolean
  readonly error: string | undefined
  readonly onChange: (value: string | boolean) => void
}

/** Input for one stream field, by its kind. */
export function StreamFieldInput({ field, value, error, onChange }: Props) {
  const { t } = useTranslation('channels')
  const { name } = field
  const common = { label: t(`field.${name}`), value: String(value), error, onChange }
  if (field.kind === 'flag')
    return (
      <label className={styles.flag}>
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {t(`field.${name}`)}
      </label>
    )
  if (field.kind === 'text') return <TextArea {...common} limit={field.max} rows={5} />
  if (field.kind === 'image') return <ImageField {...common} limit={field.max} />
  if (field.kind === 'tags') return <TextField {...common} hint={t('field.tagsHint', { count: field.max })} />
  if (field.kind === 'line') return <TextField {...common} limit={field.max} />
  return (
    <SelectField
      {...common}
      choices={[
        { value: '', label: t('field.unchanged') },
        ...field.words.map((word) => ({ value: word, label: t(`word.${name}.${word}`) })),
      ]}
    />
  )
}
