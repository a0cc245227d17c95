import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { featuresOff } from '#scripts/house/chromium.ts'

test('browser tests go without each feature that Playwright disables', () => {
  const library = createRequire(import.meta.resolve('@playwright/test')).resolve('playwright-core/lib/coreBundle')
  const [, list = ''] = /\bdisabledFeatures = \[(.*?)\]/s.exec(readFileSync(library, 'utf8')) ?? []
  const own = list.replaceAll(/\/\/.*/g, '').match(/(?<=")\w+(?=")/g) ?? []
  expect(own).toContain('HttpsUpgrades')
  expect(featuresOff).toEqual(expect.arrayContaining(own))
})
