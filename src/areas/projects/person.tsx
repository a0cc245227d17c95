import styles from './projects.module.css'

/** Full name of a user. */
export const nameOf = ({ name, fename }: { readonly name: string; readonly fename: string }): string =>
  [name, fename].filter(Boolean).join(' ')

/** Photo of a user, or the first letter of the name. */
export function PersonPhoto({ name, photo }: { readonly name: string; readonly photo?: string | null | undefined }) {
  return photo ? (
    <img src={photo} alt="" width={38} height={38} loading="lazy" className={styles.photo} />
  ) : (
    <span className={styles.photo} aria-hidden>
      {name.slice(0, 1)}
    </span>
  )
}
