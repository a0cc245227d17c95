// One title and description for many channels: which platform takes them, by the forms of the contract.
import * as z from 'zod/mini'
import type { BulkOutcome } from '#contract/areas/channels/settings.ts'
import { forms } from '#contract/platforms/forms.gen.ts'
import { takesSettings } from '#contract/platforms/platforms.ts'
import { rightCan } from '#contract/entities/roles.ts'
import type { ChannelRow } from '#server/domain/channels/channels.ts'

interface Texts {
  readonly title: string
  readonly description: string
}

/** Returns the outcome for a channel, and the texts that its platform would receive; none: nothing would change. */
export function textsFor(
  { type, access_type }: Pick<ChannelRow, 'type' | 'access_type'>,
  { title, description }: Texts,
): { readonly outcome: BulkOutcome; readonly texts?: Partial<Texts> } {
  if (!rightCan(access_type, 'editor')) return { outcome: 'forbidden' }
  if (!takesSettings(type)) return { outcome: 'no_settings' }
  const { shape } = forms[type].fields
  const texts = 'description' in shape ? { title, description } : { title }
  const fields = { title: shape.title, ...('description' in shape ? { description: shape.description } : {}) }
  const read = z.object(fields).safeParse(texts)
  if (read.success) return { outcome: 'updated', texts }
  const long = read.error.issues.some(({ code }) => code === 'too_big')
  return { outcome: long ? 'too_long' : 'not_allowed_text' }
}
