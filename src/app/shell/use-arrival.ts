import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Tells people who do not see the page that another one has come: its title is read out, and the keyboard goes on in
 * the page. Focus that is in the page already, on one of its tabs for instance, stays where it is.
 * @param main id of the page's landmark
 * @param announcer id of a live region
 */
export function useArrival(main: string, announcer: string): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const page = document.querySelector<HTMLElement>(`#${main}`)
    const region = document.querySelector(`#${announcer}`)
    if (page && !page.contains(document.activeElement)) page.focus({ preventScroll: true })
    if (region) region.textContent = document.title
  }, [pathname, main, announcer])
}
