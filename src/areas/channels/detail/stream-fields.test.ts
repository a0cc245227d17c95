import { describe, expect, test } from 'vitest'
import { optionForms } from '#contract/areas/channels/settings.ts'
import { optionPlatforms } from '#contract/entities/channel.ts'
import { fieldsOf, firstWrong, streamInputOf, valuesOf } from './stream-fields.ts'

describe.each(optionPlatforms)('%s', (type) => {
  test('an untouched form sends what the service takes', () => {
    const values = { ...valuesOf(type, { title: 'On air' }) }
    expect(optionForms[type].safeParse(streamInputOf(type, values)).error).toBeUndefined()
    expect(firstWrong(type, values)).toBeNull()
  })

  test('the counter of the title ends where the service does', () => {
    const field = fieldsOf(type).find(({ name }) => name === 'title')
    const max = field && 'max' in field ? field.max : 0
    expect(max).toBeGreaterThan(99)
    expect(firstWrong(type, { ...valuesOf(type, null), title: 'x'.repeat(max) })).toBeNull()
    expect(firstWrong(type, { ...valuesOf(type, null), title: 'x'.repeat(max + 1) })).toEqual({
      name: 'title',
      why: 'long',
    })
  })
})

test('tags are told apart by commas, each of them once', () => {
  expect(streamInputOf('twitch', { ...valuesOf('twitch', null), tags: 'English, speedrun,,English ' })['tags']).toEqual(
    ['English', 'speedrun'],
  )
})

test('what a platform said comes back as it was', () => {
  const info = { title: 'T', category: { id: '5', name: 'Chess' }, privacyVideo: 'all', disableAutoEnd: true }
  expect(streamInputOf('vk', valuesOf('vk', info))).toMatchObject({
    category_id: '5',
    category_name: 'Chess',
    privacy_video: 'all',
    disable_auto_end: true,
  })
})
