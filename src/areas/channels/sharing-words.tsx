// Words that all parts about sharing need.
import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import styles from './sharing.module.css'

/** A project's name as people say it. */
export const fullName = (project: { readonly name: string; readonly fename: string } | null | undefined): string =>
  [project?.name, project?.fename].filter(Boolean).join(' ')

/** Why something about sharing was refused. */
export function SharingRefusal({ error }: { readonly error: unknown }) {
  const { t, i18n } = useTranslation('sharing')
  const failureText = useFailureText()
  const { name } = toApiError(error)
  return i18n.exists(`sharing:refusal.${name}`) ? t(`refusal.${name}`) : failureText(error)
}

/** The same, in its place and said aloud; nothing without an error. */
export function Refused({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className={styles.refused}>
      {error ? <SharingRefusal error={error} /> : null}
    </p>
  )
}
