import * as z from 'zod/mini'
import { digits, type Form, text } from '#contract/platforms/fields.ts'

export const form = {
  operation: 'setTrovo',
  label: 'trovo',
  fields: z.object({
    title: text(100),
    category_id: z.optional(digits),
    category_name: z.optional(text(255, 1)),
    audience: z.optional(
      z.enum([
        'CHANNEL_AUDIENCE_TYPE_FAMILYFRIENDLY',
        'CHANNEL_AUDIENCE_TYPE_TEEN',
        'CHANNEL_AUDIENCE_TYPE_EIGHTEENPLUS',
      ]),
    ),
    lang: z.optional(z.enum(['ru', 'en', 'cn'])),
  }),
} as const satisfies Form
