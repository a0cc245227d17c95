import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'

/**
 * Tells people who do not see the page that another one has come: its title is read out, and the keyboard goes on in
 * the page. Focus that is in the page already, on one of its tabs for instance, stays where it is, and so does focus that
 * somebody has moved while the page was on its way.
 * @param main id of the page's landmark
 * @param announcer id of a live region
 */
export function useArrival(main: string, announcer: string): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  const isOnItsWay = useNavigation().state !== 'idle'
  /** What had the focus when the page was asked for. */
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
