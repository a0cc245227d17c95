import { useTranslation } from 'react-i18next'
import type { FieldBinding } from '#src/components/form/use-form.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './channel.module.css'
import { ImageField } from './image-field.tsx'
import type { StreamField } from './stream-fields.ts'

interface Props extends FieldBinding<string | boolean> {
  readonly field: StreamField
}

/** Input for one stream field, by its kind. */
export function StreamFieldInput({ field, ...binding }: Props) {
  const { t } = useTranslation('channels')
  const { name } = field
  const { value, error, onChange } = binding
  const text = { ...binding, label: t(`field.${name}`), value: String(value) }
  if (field.kind === 'flag')
    return (
      <label className={styles.flag}>
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {t(`field.${name}`)}
      </label>
    )
  if (field.kind === 'text') return <TextArea {...text} limit={field.max} rows={5} />
  if (field.kind === 'image')
    return <ImageField label={text.label} value={text.value} limit={field.max} error={error} onChange={onChange} />
  if (field.kind === 'tags') return <TextField {...text} hint={t('field.tagsHint', { count: field.max })} />
  if (field.kind === 'line') return <TextField {...text} limit={field.max} />
  return (
    <SelectField
      {...text}
      choices={[
        { value: '', label: t('field.unchanged') },
        ...field.words.map((word) => ({ value: word, label: t(`word.${name}.${word}`) })),
      ]}
    />
  )
}
