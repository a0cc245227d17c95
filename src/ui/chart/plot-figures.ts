// Labels at the grid of a plot, and markers of events.
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

/** Labels inside the plot, so that it is as wide as the content below it, and wide enough on a phone. */
export function labels({ ctx, bbox, scales, height, valToPos }: uPlot, frame: Frame): void {
  const { text, ground } = frame.colours()
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.font = `${12 * ratio}px "Inter Variable", system-ui, sans-serif`
  ctx.textBaseline = 'bottom'
  ctx.lineWidth = 4 * ratio
  ctx.lineJoin = 'round'
  ctx.strokeStyle = ground
  ctx.fillStyle = text
  for (const [index, scale] of frame.scales.entries()) {
    const format = frame.content().series.find((one) => one.scale === scale)?.format
    const max = scales[scale]?.max
    if (!format || !max) continue
    const isLeft = index === 0
    ctx.textAlign = isLeft ? 'left' : 'right'
    for (const share of height > 180 ? [0.5, 1] : [1]) {
      const left = isLeft ? bbox.left + 2 * ratio : bbox.left + bbox.width - 2 * ratio
      const top = valToPos(share * max, scale, true) - 2 * ratio
      ctx.strokeText(format(share * max), left, top)
      ctx.fillText(format(share * max), left, top)
    }
  }
  ctx.restore()
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
