// Content of a plot: series and markers.
import type { ChartPoint } from './points.ts'

/** Width of the labels left and right of a plot, pixels. Fixed, so that content below shares its axis before it is drawn. */
export const gutters: readonly [left: number, right: number] = [88, 48]

/** One line of the plot. */
export interface PlotSeries {
  readonly points: readonly ChartPoint[]
  readonly format: (value: number) => string
  /** Series with the same scale share it; at most two scales. */
  readonly scale: string
  /** Value of the upper edge, if known. */
  readonly top?: number | undefined
}

/** An event on the time axis. */
export interface PlotMarker {
  /** Unix seconds. */
  readonly at: number
  readonly label: string
  /** Severity; the label states it too, so that colour is not the only signal. */
  readonly tone?: 'neutral' | 'warn' | 'ok' | 'live'
}

export interface PlotContent {
  readonly series: readonly PlotSeries[]
  readonly markers: readonly PlotMarker[]
  /** Unix seconds. Default: from the first point to the last. */
  readonly from: number | undefined
  readonly to: number | undefined
}
