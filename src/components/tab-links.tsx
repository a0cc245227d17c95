import { NavLink } from 'react-router'
import styles from './tab-links.module.css'

interface Props {
  /** What the tabs divide, for people who cannot see them. */
  readonly label: string
  readonly tabs: readonly { readonly to: string; readonly text: string }[]
}

/** Tabs that are addresses: each has its own title, history entry and link. */
export function TabLinks({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <ul className={styles.tabs}>
        {tabs.map(({ to, text }) => (
          <li key={to}>
            <NavLink to={to} end className={styles.tab ?? ''}>
              {text}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
