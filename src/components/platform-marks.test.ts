import { expect, test } from 'vitest'
import { platformTypes } from '#contract/entities/platform-types.ts'
import { brandOf, marks } from './platform-marks.ts'

const icons = import.meta.glob<string>('/node_modules/simple-icons/icons/{youtube,kick}.svg', {
  import: 'default',
  eager: true,
  query: '?raw',
})

/** Relative luminance (WCAG 2.2). @param colour `#rrggbb` or `hsl(h s% l%)` */
function luminance(colour: string): number {
  const linear = (part: number) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  const [r = 0, g = 0, b = 0] = partsOf(colour).map(linear)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function partsOf(colour: string): number[] {
  if (colour.startsWith('#')) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [hue = 0, saturation = 0, light = 0] = [...colour.matchAll(/\d+/g)].map(Number)
  const strength = (saturation / 100) * Math.min(light / 100, 1 - light / 100)
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return light / 100 - strength * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [part(0), part(8), part(4)]
}

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test.each(platformTypes)('%s has a readable sign', (type) => {
  const { ground, ink } = marks[type]
  expect(contrast(ground, ink)).toBeGreaterThanOrEqual(3)
})

test('shows brand marks for well-known platforms, letters for the others', () => {
  expect(brandOf('twitch')).toBe('twitch')
  expect(brandOf('trovo')).toBeUndefined()
  expect(marks.trovo.letters).toBe('Tr')
})

test('draws each brand mark as one path', () => {
  expect(Object.values(icons)).toHaveLength(2)
  for (const svg of Object.values(icons)) expect(svg.match(/ d="[^"]+"/g)).toHaveLength(1)
})
