import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'

/**
 * Announces a new page to screen readers: reads its title and moves the keyboard focus into the page. Focus that is
 * already in the page, for instance on one of its tabs, stays, and so does focus that the user has moved while the
 * page was loading.
 * @param main id of the page's main landmark
 * @param announcer id of a live region
 */
export function useArrival(main: string, announcer: string): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  const isOnItsWay = useNavigation().state !== 'idle'
  /** Focused element at the start of the navigation. */
  const asked = useRef<Element>(null)
  useEffect(() => {
    if (isOnItsWay) {
      asked.current ??= document.activeElement
      return
    }
    const hasMoved =
      asked.current !== null && ![asked.current, document.body].includes(document.activeElement ?? document.body)
    asked.current = null
    if (before.current === pathname) return
    before.current = pathname
    const page = document.querySelector<HTMLElement>(`#${main}`)
    const region = document.querySelector(`#${announcer}`)
    if (page && !hasMoved && !page.contains(document.activeElement)) page.focus({ preventScroll: true })
    if (region) region.textContent = document.title
  }, [pathname, isOnItsWay, main, announcer])
}
