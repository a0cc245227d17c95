import * as z from 'zod/mini'
import { type Form, text } from '#contract/platforms/fields.ts'

export const form = {
  operation: 'setVkVideoLive',
  label: 'vk video live',
  fields: z.object({
    title: text(128),
    category_id: z.optional(text(255, 1)),
    category_name: z.optional(text(255, 1)),
  }),
} as const satisfies Form
