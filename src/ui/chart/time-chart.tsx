import { gutters, type PlotContent, type PlotMarker, type PlotSeries } from './plot-content.ts'
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '#src/ui/button.tsx'
import styles from './chart.module.css'
import { type ChartPoint, figuresOf, stepOf } from './points.ts'
import { type Range, stretched } from './ranges.ts'
import type { openPlot, Plot, PlotCursor } from './plot.ts'
import type { Colours } from './plot-figures.ts'

// The plot of a chart: its library loads after the page, and the plot is destroyed with the chart.

interface Content {
  readonly series: readonly (Omit<PlotSeries, 'scale'> & { readonly scale?: string })[]
  readonly markers?: readonly PlotMarker[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

interface Hooks {
  readonly tick: (seconds: number, step: number) => string
  readonly onCursor: (cursor: PlotCursor | null) => void
  readonly onZoom: (range: Range | null) => void
}

/** Loads the library. Parsing it and drawing in the same task would delay input. */
type LoadPlot = () => Promise<typeof openPlot>

/** Keeps a plot with the given content in the element. Null until the library has loaded. */
function usePlot(
  host: RefObject<HTMLElement | null>,
  load: LoadPlot,
  content: Content,
  hooks: Hooks,
): RefObject<Plot | null> {
  const { series, markers, from, to } = content
  const plot = useRef<Plot | null>(null)
  const latest = useRef({ content, hooks })
  useLayoutEffect(() => {
    latest.current = { content, hooks }
  })
  const shape = series.map(({ scale }) => scale).join()

  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const closing = new AbortController()
    void load().then((open) => {
      if (closing.signal.aborted) return
      const opened = open(element, toPlot(latest.current.content), {
        time: (seconds, step) => latest.current.hooks.tick(seconds, step),
        colours: () => coloursOf(element),
        onCursor: (cursor) => latest.current.hooks.onCursor(cursor),
        onZoom: (range) => latest.current.hooks.onZoom(range),
      })
      plot.current = opened
      const size = new ResizeObserver(opened.resize)
      size.observe(element)
      const theme = new MutationObserver(opened.repaint)
      theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
      closing.signal.addEventListener('abort', () => {
        size.disconnect()
        theme.disconnect()
        opened.close()
        plot.current = null
      })
    })
    return () => closing.abort()
  }, [host, load, shape])

  useEffect(() => plot.current?.show(toPlot({ series, markers, from, to })), [series, markers, from, to])
  return plot
}

const toPlot = ({ series, markers = [], from, to }: Content): PlotContent => ({
  series: series.map((one) => ({ ...one, scale: one.scale ?? 'y' })),
  markers,
  from,
  to,
})

/** The theme's colours for a canvas: only the page can resolve `light-dark()` and `var()`. */
function coloursOf(host: HTMLElement): Colours {
  const probe = document.createElement('i')
  probe.hidden = true
  host.append(probe)
  const resolve = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const tones = {
    neutral: resolve('rd-muted'),
    warn: resolve('rd-warn'),
    ok: resolve('rd-ok'),
    live: resolve('rd-live'),
  }
  const colours = {
    text: resolve('rd-muted'),
    line: resolve('rd-line'),
    ground: resolve('rd-surface'),
    fill: resolve('chart-fill'),
    series: [0, 1, 2, 3, 4, 5].map((index) => resolve(`chart-${index}`)),
    tones,
  }
  probe.remove()
  return colours
}

export interface ChartSeries {
  readonly name: string
  /** Ascending. */
  readonly points: readonly ChartPoint[]
  /** Formats a value with its unit. */
  readonly format: (value: number) => string
  /** Series with the same scale share it: labels of the first scale stand left, those of the second right. */
  readonly scale?: string
  /** Value of the upper edge; default: a readable number above the highest visible value. */
  readonly top?: number
}

export type ChartMarker = PlotMarker

/** Texts of a chart, translated. */
export interface ChartWords {
  readonly zoomIn: string
  readonly zoomOut: string
  readonly whole: string
  /** Shown without any measurement. */
  readonly none: string
  readonly figures: (figures: { readonly mean: string; readonly min: string; readonly max: string }) => string
  /** A moment at the axis, with marks that many seconds apart. */
  readonly tick: (seconds: number, step: number) => string
  /** A moment on its own. */
  readonly moment: (seconds: number) => string
  /** Between a label and its value. */
  readonly colon: string
  /** Between two values. */
  readonly comma: string
}

interface Props {
  /** Accessible name. */
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly markers?: readonly ChartMarker[] | undefined
  /** Unix seconds; default: from the first point to the last. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly isSmall?: boolean
  /** Called with each new visible range; null: the whole. For content below on the same axis. */
  readonly onRange?: ((range: readonly [from: number, to: number] | null) => void) | undefined
  /** Stands below the plot, on its time axis. */
  readonly children?: ReactNode
  readonly words: ChartWords
  /** Must keep its identity for the lifetime of the chart. */
  readonly load: LoadPlot
}

/**
 * Chart of values over time: drag or pinch to zoom, or use the buttons or + - 0; arrow keys move from point to point,
 * and a screen reader announces each. Content below shares its time axis. Its
 * library loads after the page.
 */
export function TimeChart(props: Props) {
  const { label, series, markers, from, to, isSmall = false, onRange, children, words, load } = props
  const host = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<PlotCursor | null>(null)
  const [isZoomed, setZoomed] = useState(false)
  const onZoom = (range: readonly [number, number] | null) => {
    setZoomed(range !== null)
    onRange?.(range)
  }
  const plot = usePlot(host, load, { series, markers, from, to }, { tick: words.tick, onCursor: setCursor, onZoom })
  const last = Math.max(0, ...series.map(({ points }) => points.length - 1))
  const zoomBy = (share: number) => plot.current?.zoom(stretched(plot.current.range(), share, cursor?.at))
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoomBy(0.5),
    '=': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    '0': () => plot.current?.zoom(null),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepOf(event.key, cursor?.index ?? null, last)
    const key = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!plot.current || (next === null && !key)) return
    event.preventDefault()
    if (next === null) key?.()
    else plot.current.point(next)
  }
  return (
    <figure className={styles.chart}>
      <div
        ref={host}
        className={styles.plot}
        data-small={isSmall || undefined}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(cursor?.index ?? last, last)}
        aria-valuetext={
          cursor ? [words.moment(cursor.at), said(cursor, series).join(words.comma)].join(words.colon) : label
        }
        aria-keyshortcuts="+ - 0"
        onKeyDown={onKeyDown}
      />
      {children && (
        <div className={styles.below} style={{ paddingInline: `${gutters[0]}px ${rightOf(series)}px` }}>
          {children}
        </div>
      )}
      {cursor && (
        <div className={styles.cursor} aria-hidden>
          <span>{words.moment(cursor.at)}</span>
          {said(cursor, series).map((text) => (
            <b key={text}>{text}</b>
          ))}
        </div>
      )}
      <figcaption className={styles.foot}>
        <ul className={styles.figures}>
          {series.map((one, index) => (
            <li key={one.name}>
              {series.length > 1 && <span className={styles.swatch} data-line={index % 6} aria-hidden />}
              {(series.length > 1 || one.name !== label) && `${one.name}${words.colon}`}
              <Figures text={figures(one, words)} />
            </li>
          ))}
        </ul>
        <span className={styles.zoom}>
          <IconButton label={words.zoomIn} onClick={() => zoomBy(0.5)}>
            <IconZoomIn size={18} aria-hidden />
          </IconButton>
          {isZoomed && (
            <>
              <IconButton label={words.zoomOut} onClick={() => zoomBy(2)}>
                <IconZoomOut size={18} aria-hidden />
              </IconButton>
              <IconButton label={words.whole} onClick={() => plot.current?.zoom(null)}>
                <IconZoomReset size={18} aria-hidden />
              </IconButton>
            </>
          )}
        </span>
      </figcaption>
    </figure>
  )
}

/** Width of the labels right of the plot: there are some with a second scale. */
const rightOf = (series: readonly ChartSeries[]): number =>
  new Set(series.map(({ scale }) => scale)).size > 1 ? gutters[1] : 0

/** As wide as its text with any digits: a change of digits causes no layout of the surroundings. */
function Figures({ text }: { readonly text: string }) {
  return (
    <span className={styles.now} data-shape={text.replaceAll(/\d/g, '0')}>
      <span>{text}</span>
    </span>
  )
}

/** Value at the cursor as text. */
function said({ values, marker }: PlotCursor, series: readonly ChartSeries[]): string[] {
  const texts = series.flatMap(({ name, format }, index) => {
    const value = values[index]
    if (value === null || value === undefined) return []
    return [series.length > 1 ? `${name} ${format(value)}` : format(value)]
  })
  return marker ? [...texts, marker.label] : texts
}

function figures({ points, format }: ChartSeries, words: ChartWords): string {
  const { mean, min, max } = figuresOf(points) ?? {}
  if (mean === undefined || min === undefined || max === undefined) return words.none
  return words.figures({ mean: format(mean), min: format(min), max: format(max) })
}
