import * as z from 'zod/mini'
import { description, type Form, text } from '#contract/platforms/fields.ts'

export const form = {
  operation: 'setOk',
  label: 'ok',
  fields: z.object({ title: text(128), description }),
} as const satisfies Form
