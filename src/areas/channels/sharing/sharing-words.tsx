// Words that all parts about sharing need.
import { useFailureText } from '#src/components/failure.tsx'
import styles from './sharing.module.css'

/** A project's name as people say it. */
export const fullName = (project: { readonly name: string; readonly fename: string } | null | undefined): string =>
  [project?.name, project?.fename].filter(Boolean).join(' ')

/** Why something about sharing was refused. */
export function SharingRefusal({ error }: { readonly error: unknown }) {
  return useFailureText('sharing')(error)
}

/** The same, in its place and said aloud; nothing without an error. */
export function Refused({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className={styles.refused}>
      {error ? <SharingRefusal error={error} /> : null}
    </p>
  )
}
