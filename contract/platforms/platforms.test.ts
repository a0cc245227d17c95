// The facts of the platforms against the rules of the pages.
import { expect, test } from 'vitest'
import { forms } from './forms.gen.ts'
import { icons } from './icons.gen.ts'
import { marks } from './marks.gen.ts'
import { accountsOf, factsOf, hasAbility, platformTypes } from './platforms.ts'
import { servers } from './servers.gen.ts'

test('gives every platform an id of its own, and puts generic destinations last', () => {
  expect(new Set(platformTypes.map((type) => factsOf(type).id)).size).toBe(platformTypes.length)
  expect(platformTypes.slice(0, 4)).toEqual(['youtube', 'twitch', 'vk', 'vkvideolive'])
  expect(platformTypes.slice(-2)).toEqual(['custom', 'srt'])
})

test('has a form for every platform with stream settings', () => {
  const withForms = platformTypes.filter((type) => hasAbility(type, 'options'))
  expect(withForms.toSorted()).toEqual(Object.keys(forms).toSorted())
})

test('finds the accounts of a platform', () => {
  expect(accountsOf('vk')).toEqual(['vk', 'vk-id'])
  expect(accountsOf('tiktok')).toEqual([])
  expect(platformTypes.filter((type) => hasAbility(type, 'oauth') !== accountsOf(type).length > 0)).toEqual([])
})

test('has ingest addresses on servers of the platform', () => {
  const foreign = Object.values(servers).flatMap(({ addresses, hosts }) =>
    addresses
      .map(({ url }) => /^\w+:\/\/([^/:]+)/.exec(url)?.[1] ?? '')
      .filter((name) => !hosts.some((host) => name === host || name.endsWith(`.${host}`))),
  )
  expect(foreign).toEqual([])
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

test('has brand marks in a field of 24 units', () => {
  expect(Object.keys(icons)).toContain('youtube')
  for (const path of Object.values(icons)) expect(path).toMatch(/^[Mm][\d.\s,a-zA-Z-]+$/)
})
