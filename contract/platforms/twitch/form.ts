import * as z from 'zod/mini'
import { digits, type Form, tags, text } from '#contract/platforms/fields.ts'

export const form = {
  operation: 'setTwitch',
  label: 'twitch',
  fields: z.object({
    title: text(140),
    category_id: z.optional(digits),
    category_name: z.optional(text(255, 1)),
    lang: z.optional(z.enum(['ru', 'en'])),
    tags: tags(text(25, 1).check(z.regex(/^[\p{L}\p{M}\p{N}]*$/u)), 10),
    domain: text(255, 1),
  }),
} as const satisfies Form
