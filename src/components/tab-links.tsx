import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import styles from './tab-links.module.css'

interface Props {
  /** Accessible name of the tabs. */
  readonly label: string
  readonly tabs: readonly { readonly to: string; readonly text: string }[]
}

/** Tabs as links: each has its own title, history entry and URL. */
export function TabLinks({ label, tabs }: Props) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // Where not all tabs fit, the active one is scrolled into view.
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (open) nav.current?.scrollTo({ left: open.offsetLeft - (nav.current.clientWidth - open.offsetWidth) / 2 })
  }, [pathname])
  return (
    <nav ref={nav} aria-label={label} className={`edge-hint ${styles.nav}`}>
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
