// Axes of a plot: time below, and one axis without width per scale.
import type uPlot from 'uplot'
import type { Frame } from './plot-figures.ts'

/** Returns the time axis. */
export function timeAxis({ colours, time }: Frame): uPlot.Axis {
  return {
    size: 26,
    gap: 6,
    space: 66,
    font: '12px "Inter Variable", system-ui, sans-serif',
    stroke: () => colours().text,
    grid: { show: false },
    ticks: { show: false },
    values: (self, splits, _axis, _space, step) =>
      splits.map((split) => {
        const left = self.valToPos(split, 'x')
        // A label at an edge would be cut off.
        return left < 24 || left > self.width - 24 ? '' : time(split, step)
      }),
  }
}

/** Returns one axis per scale. `labels` draws its figures inside the plot. */
export function valueAxes({ scales, colours }: Frame): uPlot.Axis[] {
  return scales.map((scale, index) => ({
    scale,
    side: index === 0 ? 3 : 1,
    size: 0,
    values: (_, splits) => splits.map(() => ''),
    splits: (self, _axis, _min, max) =>
      (self.height > 180 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]).map((share) => share * max),
    ticks: { show: false },
    grid: { show: index === 0, stroke: () => colours().line, width: 1 },
  }))
}
