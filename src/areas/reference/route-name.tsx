import styles from './reference.module.css'

/** `METHOD path` with a highlighted method. */
export function RouteName({ route }: { route: string }) {
  const [method = '', path] = route.split(' ')
  return (
    <span className={styles.route}>
      <span className={styles.method} data-method={method}>
        {method}
      </span>{' '}
      <code>{path}</code>
    </span>
  )
}
