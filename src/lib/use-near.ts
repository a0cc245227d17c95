import { type RefCallback, startTransition, useCallback, useState } from 'react'

/** How far away from what is seen something is near: it is there when somebody arrives. */
const rootMargin = '150px 0px'

/** Whether an element has come near what is seen. It stays so. */
export function useNear(): [watch: RefCallback<Element>, isNear: boolean] {
  const [isNear, setNear] = useState(false)
  const watch = useCallback((element: Element | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && startTransition(() => setNear(true)),
      { rootMargin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [watch, isNear]
}
