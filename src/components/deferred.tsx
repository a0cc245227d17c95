import { type ReactNode, Suspense, useCallback, useDeferredValue, useState } from 'react'
import { useSettled } from '#src/api/settled.ts'

interface Props {
  /** Placeholder of the same size: the layout does not shift when the part replaces it. */
  readonly room: ReactNode
  readonly children: ReactNode
}

/** Distance from the viewport at which a part is rendered. */
const rootMargin = '150px 0px'

/** Renders a costly part after the first view, when it comes near the viewport, in an interruptible pass. */
export function Deferred({ room, children }: Props) {
  const [isNear, setNear] = useState(false)
  const isDue = useDeferredValue(useSettled() && isNear)
  const watch = useCallback((element: Element | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return isDue ? (
    <Suspense fallback={room}>{children}</Suspense>
  ) : (
    <div ref={watch} data-deferred>
      {room}
    </div>
  )
}
