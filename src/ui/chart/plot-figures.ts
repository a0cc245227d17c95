// Markers of events in a plot.
import uPlot from 'uplot'
import type { PlotContent, PlotMarker } from './plot-content.ts'

export interface Colours {
  readonly text: string
  readonly line: string
  readonly ground: string
  readonly fill: string
  readonly series: readonly string[]
  readonly tones: Readonly<Record<NonNullable<PlotMarker['tone']>, string>>
}

export interface Frame {
  readonly scales: readonly string[]
  readonly content: () => PlotContent
  readonly colours: () => Colours
  readonly time: (seconds: number, step: number) => string
}

/** A dashed vertical line with a head. */
export function marks({ ctx, bbox, valToPos }: uPlot, frame: Frame): void {
  const { tones } = frame.colours()
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.lineWidth = ratio
  for (const { at, tone = 'neutral' } of frame.content().markers) {
    const left = Math.round(valToPos(at, 'x', true)) + ratio / 2
    if (left < bbox.left || left > bbox.left + bbox.width) continue
    ctx.strokeStyle = tones[tone]
    ctx.fillStyle = tones[tone]
    ctx.setLineDash([3 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(left, bbox.top)
    ctx.lineTo(left, bbox.top + bbox.height)
    ctx.stroke()
    ctx.beginPath()
    ctx.arc(left, bbox.top + bbox.height, 3.5 * ratio, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.restore()
}
