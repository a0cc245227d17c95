import * as z from 'zod/mini'
import { description, digits, flag, type Form, tags, text } from '#contract/platforms/fields.ts'

/** YouTube refuses angle brackets. */
const withoutBrackets = z.regex(/^[^<>]*$/)

export const form = {
  operation: 'setYoutube',
  label: 'youtube',
  fields: z.object({
    title: text(100).check(withoutBrackets),
    description: description.check(withoutBrackets),
    category_id: z.optional(digits),
    category_name: z.optional(text(255, 1)),
    playlist_id: z.optional(text(255, 1)),
    audience: z.optional(z.enum(['mark_for_kids', 'mark_for_nokids'])),
    latency: z.optional(z.enum(['normal', 'low', 'ultraLow'])),
    privacy_video: z.optional(z.enum(['private', 'public', 'unlisted'])),
    image: z.optional(z.string().check(z.maxLength(60_000), z.regex(/^(https:\/\/|data:image\/(png|jpeg);base64,)/))),
    lang: z.optional(z.enum(['ru', 'en'])),
    tags: tags(text(100).check(z.regex(/^[\p{L}\p{M}\p{N} ]*$/u)), 100),
    disable_auto_end: flag,
  }),
} as const satisfies Form
