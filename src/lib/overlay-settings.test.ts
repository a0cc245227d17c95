// Settings of the overlay in its fragment.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overlaySizes, readOverlay, writeOverlay } from './overlay-settings.ts'

test('reads what it writes', () => {
  const settings = fc.record({
    key: fc.string({ minLength: 1 }),
    size: fc.constantFrom(...overlaySizes),
    marks: fc.boolean(),
    hold: fc.option(fc.integer({ min: 0, max: 10 })),
    fade: fc.integer({ min: 0, max: 3_600 }),
  })
  fc.assert(
    fc.property(settings, (one) => {
      expect(readOverlay(writeOverlay(one))).toEqual(one)
    }),
  )
})

test('takes defaults for what it does not understand', () => {
  expect(readOverlay('#size=x&hold=-5&fade=many')).toEqual({ key: '', size: 'medium', marks: true, hold: 0, fade: 0 })
  expect(readOverlay('#key=a&hold=99')).toMatchObject({ key: 'a', hold: 10 })
})
