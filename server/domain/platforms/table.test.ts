// The platform table against the rules that channels are held to.
import { expect, test } from 'vitest'
import { optionPlatforms, platformTypes } from '#contract/entities/channel.ts'
import { readAddress } from '#server/domain/channels/destinations.ts'
import { listPlatforms } from './table.ts'

const platforms = listPlatforms()

test('every platform stands in it once, and custom destinations come last', () => {
  expect(platforms.map(({ type }) => type).toSorted()).toEqual([...platformTypes].toSorted())
  expect(new Set(platforms.map(({ id }) => id)).size).toBe(platforms.length)
  expect(platforms.slice(-2).map(({ type }) => type)).toEqual(['custom', 'srt'])
})

test('every preset is an address that a channel may have', () => {
  const refused = platforms
    .flatMap(({ ingests }) => ingests)
    .filter(({ url }) => 'fault' in readAddress(url, { allowPrivateDestinations: false }))
  expect(refused).toEqual([])
})

test('where there is no preset, the platform gives each person an address', () => {
  expect(platforms.filter(({ ingests, own_url }) => ingests.length > 0 === (own_url === 1))).toEqual([])
})

test('settings of a stream are where the contract has forms for them', () => {
  const withForms = platforms.filter(({ options }) => options === 1).map(({ type }) => type)
  expect(withForms.toSorted()).toEqual([...optionPlatforms].toSorted())
})
