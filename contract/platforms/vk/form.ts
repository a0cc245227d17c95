import * as z from 'zod/mini'
import { description, digits, flag, type Form, text } from '#contract/platforms/fields.ts'

export const form = {
  operation: 'setVk',
  label: 'vk',
  fields: z.object({
    title: text(128),
    description,
    category_id: z.optional(digits),
    category_name: z.optional(text(100, 1)),
    category_secondary_id: z.optional(digits),
    category_secondary_name: z.optional(text(100, 1)),
    playlist_id: z.optional(text(100, 1)),
    privacy_comments: z.optional(z.enum(['all', 'members', 'editors', 'nobody'])),
    privacy_video: z.optional(z.enum(['all', 'members', 'editors', 'by_link', 'donut'])),
    wall: flag,
    disable_auto_end: flag,
  }),
} as const satisfies Form
