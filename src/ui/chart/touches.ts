// Touch gestures on a plot. Vertical moves belong to the page: the browser scrolls it and cancels the touch.
import { type Finger, type Range, rangeUnder } from './ranges.ts'

interface Plane {
  readonly element: HTMLElement
  readonly isZoomed: () => boolean
  readonly seen: () => Range
  /** Value at a distance from the left edge. */
  readonly valueAt: (x: number) => number
  readonly zoom: (range: Range) => void
  /** Moves the cursor to a position. */
  readonly point: (x: number) => void
}

/**
 * Two fingers zoom; one finger moves the range, or the cursor when not zoomed. The listeners live as long as the
 * element.
 */
export function heedTouches({ element, isZoomed, seen, valueAt, zoom, point }: Plane): void {
  const fingers = new Map<number, Finger>()
  const placeOf = ({ clientX }: PointerEvent) => clientX - element.getBoundingClientRect().left
  const hold = (id: number, x: number) => fingers.set(id, { x, value: valueAt(x) })

  element.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' || fingers.size === 2) return
    hold(event.pointerId, placeOf(event))
    if (fingers.size === 1) point(placeOf(event))
  })
  element.addEventListener('pointermove', (event) => {
    const held = fingers.get(event.pointerId)
    if (!held) return
    const x = placeOf(event)
    if (fingers.size === 1 && !isZoomed()) return point(x)
    fingers.set(event.pointerId, { ...held, x })
    const places = [...fingers.values()].toSorted((a, b) => a.value - b.value)
    zoom(rangeUnder(places, element.clientWidth, seen()))
  })
  const leave = ({ pointerId }: PointerEvent) => {
    fingers.delete(pointerId)
    // The value below the other finger has changed.
    for (const [id, { x }] of fingers) hold(id, x)
  }
  element.addEventListener('pointerup', leave)
  element.addEventListener('pointercancel', leave)
}
