// Configured uPlot: labels beside the plot, colours of the theme, zoom in time.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type Colours, type Frame, marks } from './plot-figures.ts'
import { gutters, type PlotContent, type PlotMarker } from './plot-content.ts'
import { roundUp } from './points.ts'
import { type Finger, type Range, rangeUnder, showing, within } from './ranges.ts'

/** Point or marker at the cursor. */
export interface PlotCursor {
  readonly at: number
  readonly values: readonly (number | null | undefined)[]
  readonly marker: PlotMarker | undefined
  readonly index: number
}

export interface Plot {
  /** Replaces the content; the zoom stays. */
  readonly show: (content: PlotContent) => void
  readonly zoom: (range: Range | null) => void
  /** Visible range. */
  readonly range: () => Range
  /** Moves the cursor to a point. */
  readonly point: (index: number) => void
  readonly resize: () => void
  readonly repaint: () => void
  readonly close: () => void
}

interface Hooks {
  readonly time: (seconds: number, step: number) => string
  readonly colours: () => Colours
  readonly onCursor: (cursor: PlotCursor | null) => void
  readonly onZoom: (range: Range | null) => void
}

/** Maximum distance in pixels between a pointer and a marker that counts as a hit. */
const near = 6

/** Draws into an element. Another number of series or scales needs another plot. */
export function openPlot(host: HTMLElement, first: PlotContent, { time, colours, onCursor, onZoom }: Hooks): Plot {
  let content = first
  let zoomed: Range | null = null
  let paint = colours()
  const scales = [...new Set(first.series.map(({ scale }) => scale))]
  const frame: Frame = {
    scales,
    content: () => content,
    colours: () => paint,
    time,
  }
  const size = () => ({ width: Math.max(host.clientWidth, 1), height: Math.max(host.clientHeight, 1) })
  const zoom = (range: Range | null) => {
    zoomed = range && within(range, whole(content))
    plot.setScale('x', { min: seen()[0], max: seen()[1] })
    onZoom(zoomed)
  }
  const seen = (): Range => zoomed ?? whole(content)

  const plot = new uPlot(
    {
      ...size(),
      padding: [10, 0, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { size: 7 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => (zoom(null), null) },
      },
      scales: {
        x: { range: () => [...seen()] },
        ...Object.fromEntries(scales.map((scale) => [scale, { range: () => [0, topOf(content, scale, seen())] }])),
      },
      axes: [timeAxis(frame), ...valueAxes(frame)],
      series: [
        {},
        ...first.series.map(({ scale }, index) => ({
          scale,
          width: 2,
          stroke: () => paint.series[index % paint.series.length] ?? paint.text,
          ...(first.series.length === 1 ? { fill: () => paint.fill } : {}),
          points: { show: (self: uPlot) => (self.data[0]?.length ?? 0) < 3 },
        })),
      ],
      hooks: {
        draw: [(self) => marks(self, frame)],
        setCursor: [(self) => onCursor(cursorOf(self, content))],
        setSelect: [
          ({ select: { left, width }, posToVal }) => {
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            if (width > 4) zoom([posToVal(left, 'x'), posToVal(left + width, 'x')])
          },
        ],
      },
    },
    dataOf(first),
    host,
  )
  const cursorAt = (left: number) => plot.setCursor({ left, top: 1 })
  heedTouches({
    element: plot.over,
    isZoomed: () => zoomed !== null,
    seen,
    valueAt: (x) => plot.posToVal(x, 'x'),
    zoom,
    point: cursorAt,
  })
  return {
    show: (next) => {
      content = next
      plot.setData(dataOf(next))
    },
    zoom,
    range: seen,
    point: (index) => {
      const at = plot.data[0][index]
      if (at === undefined) return
      if (zoomed) zoom(showing(zoomed, at))
      // uPlot applies a new range in a microtask; the position of the point is known only then.
      queueMicrotask(() => cursorAt(plot.valToPos(at, 'x')))
    },
    resize: () => plot.setSize(size()),
    repaint: () => {
      paint = colours()
      plot.redraw(false)
    },
    close: () => plot.destroy(),
  }
}

/** Series with one column of times. */
function dataOf({ series }: PlotContent): uPlot.AlignedData {
  const tables = series.map(({ points }): uPlot.AlignedData => [
    points.map(({ at }) => at),
    points.map(({ value }) => value),
  ])
  return tables.length > 1 ? uPlot.join(tables) : (tables[0] ?? [[]])
}

function whole({ series, from, to }: PlotContent): Range {
  const ends = series.flatMap(({ points }) => [points[0]?.at, points.at(-1)?.at].filter((at) => at !== undefined))
  const first = from ?? ends.reduce((a, b) => Math.min(a, b), Infinity)
  const last = to ?? ends.reduce((a, b) => Math.max(a, b), -Infinity)
  if (!Number.isFinite(first) || !Number.isFinite(last)) return [0, 1]
  return last > first ? [first, last] : [first - 1, first + 1]
}

function topOf({ series }: PlotContent, scale: string, [from, to]: Range): number {
  const own = series.filter((one) => one.scale === scale)
  const known = own.find(({ top }) => top !== undefined)?.top
  if (known !== undefined) return known
  const values = own.flatMap(({ points }) =>
    points.filter(({ at }) => at >= from && at <= to).map(({ value }) => value ?? 0),
  )
  return roundUp(values.reduce((a, b) => Math.max(a, b), 0))
}

function cursorOf(self: uPlot, { markers }: PlotContent): PlotCursor | null {
  const { left = -1, idx } = self.cursor
  if (left < 0 || idx === null || idx === undefined) return null
  const at = self.data[0][idx] ?? 0
  const marker = markers.find((one) => Math.abs(self.valToPos(one.at, 'x') - left) <= near)
  return { at, values: self.data.slice(1).map((values) => values[idx]), marker, index: idx }
}

// Axes of a plot: time below, values of the first scale left of it, those of the second right.

const font = '12px "Inter Variable", system-ui, sans-serif'

/** Returns the time axis. */
function timeAxis({ colours, time, scales }: Frame): uPlot.Axis {
  return {
    size: 26,
    gap: 6,
    space: 66,
    font,
    stroke: () => colours().text,
    grid: { show: false },
    ticks: { show: false },
    values: (self, splits, _axis, _space, step) =>
      splits.map((split) => {
        const left = self.valToPos(split, 'x')
        // A label at the right edge would be cut off.
        const width = self.width - scales.reduce((sum, _, index) => sum + gutterOf(self, index), 0)
        const isCut = left < 0 || left > width - (scales.length > 1 ? 0 : 20)
        return isCut || !hasData(self) ? '' : time(split, step)
      }),
  }
}

/** Width below which a plot has no labels, pixels. */
const narrowest = 2 * (gutters[0] + gutters[1])

/** Returns the width of the labels of a scale. A hidden chart has no width to share. */
const gutterOf = ({ width }: uPlot, index: number): number => (width > narrowest ? (gutters[index] ?? 0) : 0)

const hasData = ({ data }: uPlot): boolean => data[0].length > 0

/** Returns one axis per scale, with labels at the half and at the top. */
function valueAxes({ scales, colours, content }: Frame): uPlot.Axis[] {
  return scales.map((scale, index) => ({
    scale,
    side: index === 0 ? 3 : 1,
    size: (self) => gutterOf(self, index),
    gap: 8,
    font,
    stroke: () => colours().text,
    values: (self, splits) => {
      const format = content().series.find((one) => one.scale === scale)?.format
      const isLabelled = (place: number) =>
        place === splits.length - 1 || (place * 2 === splits.length - 1 && splits.length > 3)
      return splits.map((value, place) => (format && hasData(self) && isLabelled(place) ? format(value) : ''))
    },
    splits: (self, _axis, _min, max) =>
      (self.height > 180 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]).map((share) => share * max),
    ticks: { show: false },
    grid: { show: index === 0, stroke: () => colours().line, width: 1 },
  }))
}

// Touch gestures on a plot. Vertical moves belong to the page: the browser scrolls it and cancels the touch.

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
function heedTouches({ element, isZoomed, seen, valueAt, zoom, point }: Plane): void {
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
