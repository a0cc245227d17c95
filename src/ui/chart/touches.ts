// Fingers on a plot. Up and down belongs to the page: the browser scrolls it, and takes the finger back then.
import { type Finger, type Range, rangeUnder } from './ranges.ts'

interface Plane {
  readonly element: HTMLElement
  readonly isZoomed: () => boolean
  readonly seen: () => Range
  /** What a place, counted from the left edge, stands for. */
  readonly valueAt: (x: number) => number
  readonly zoom: (range: Range) => void
  /** Puts the cursor at a place. */
  readonly point: (x: number) => void
}

/** Two fingers zoom; one moves what is zoomed, and the cursor where nothing is. Ends with the element. */
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
    // What the other one holds has moved.
    for (const [id, { x }] of fingers) hold(id, x)
  }
  element.addEventListener('pointerup', leave)
  element.addEventListener('pointercancel', leave)
}
