import { describe, expect, test } from 'vitest'
import { forms } from '#contract/platforms/forms.gen.ts'
import type { FormPlatform } from '#contract/platforms/platforms.ts'
import { fieldsOf, streamInputOf, valuesOf } from './stream-fields.ts'

describe.each(Object.keys(forms) as FormPlatform[])('%s', (type) => {
  test('sends valid input from an untouched form', () => {
    const values = { ...valuesOf(type, { title: 'On air' }) }
    expect(forms[type].fields.safeParse(streamInputOf(type, values)).error).toBeUndefined()
  })

  test('limits the title to the length that the service accepts', () => {
    const field = fieldsOf(type).find(({ name }) => name === 'title')
    const max = field && 'max' in field ? field.max : 0
    expect(max).toBeGreaterThan(99)
    const refused = (title: string) =>
      forms[type].fields.safeParse(streamInputOf(type, { ...valuesOf(type, null), title })).error?.issues
    expect(refused('x'.repeat(max))).toBeUndefined()
    expect(refused('x'.repeat(max + 1))).toMatchObject([{ path: ['title'], code: 'too_big' }])
  })
})

test('splits tags at commas and drops duplicates', () => {
  expect(streamInputOf('twitch', { ...valuesOf('twitch', null), tags: 'English, speedrun,,English ' })['tags']).toEqual(
    ['English', 'speedrun'],
  )
})

test('keeps the values of the platform through the form', () => {
  const info = { title: 'T', category: { id: '5', name: 'Chess' }, privacyVideo: 'all', disableAutoEnd: true }
  expect(streamInputOf('vk', valuesOf('vk', info))).toMatchObject({
    category_id: '5',
    category_name: 'Chess',
    privacy_video: 'all',
    disable_auto_end: true,
  })
})
