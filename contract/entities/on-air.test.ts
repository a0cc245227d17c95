// Words of the status on air.
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { Fill } from './on-air.ts'

test('what stands in the place of the encoder: a word of a newer service is read as a picture', () => {
  const Status = z.object({ fill: z.optional(Fill) })
  for (const fill of ['picture', 'clip', 'frame']) expect(Status.parse({ fill })).toEqual({ fill })
  expect(Status.parse({ fill: 'hologram' })).toEqual({ fill: 'picture' })
  expect(Status.parse({})).toEqual({})
})
