import { CopyIcon } from '#src/ui/copy-button.tsx'
import { Field } from '#src/ui/field.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

interface Props {
  readonly label: string
  readonly value: string
  /** Text of the field without an address. */
  readonly empty: string
  readonly canCopy?: boolean
}

/** Address to copy; contains no secret. */
export function AddressField({ label, value, empty, canCopy = true }: Props) {
  const words = useIngestWords()
  return (
    <Field label={label}>
      {(control) => (
        <span className={styles.withButton}>
          <input {...control} readOnly value={value} placeholder={empty} spellCheck={false} />
          {canCopy && value !== '' && <CopyIcon text={value} words={words.copy(label)} />}
        </span>
      )}
    </Field>
  )
}
