// Texts shared by the sharing components.
import { useFailureText } from '#src/components/failure.tsx'
import styles from './sharing.module.css'

/** Full name of a project. */
export const fullName = (project: { readonly name: string; readonly fename: string } | null | undefined): string =>
  [project?.name, project?.fename].filter(Boolean).join(' ')

/** Reason why the service refused a sharing request. */
export function SharingRefusal({ error }: { readonly error: unknown }) {
  return useFailureText('sharing')(error)
}

/** The reason as an alert; renders nothing without an error. */
export function Refused({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className={styles.refused}>
      {error ? <SharingRefusal error={error} /> : null}
    </p>
  )
}
