// The plot of a chart: its library loads after the page, and the plot is destroyed with the chart.
import type { PlotContent, PlotMarker, PlotSeries } from './plot-content.ts'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Colours } from './plot-figures.ts'
import type { openPlot, Plot, PlotCursor } from './plot.ts'
import type { Range } from './ranges.ts'

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
export type LoadPlot = () => Promise<typeof openPlot>

/** Keeps a plot with the given content in the element. Null until the library has loaded. */
export function usePlot(
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
