// Settings of channels over HTTP.
import { type BulkOutcome, settings } from '#contract/areas/channels/settings.ts'
import { forms } from '#contract/platforms/forms.gen.ts'
import { type FormPlatform, takesSettings } from '#contract/platforms/platforms.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { type ChannelRow, getChannel } from '#server/domain/channels/channels.ts'
import { mergeSettings } from '#server/domain/channels/bulk.ts'
import {
  moveChannel,
  renameChannel,
  saveSettings,
  setChannelPage,
  setPersonal,
} from '#server/domain/channels/change.ts'
import { listAllChannels } from '#server/domain/channels/store.ts'
import { describeChannel, updateChannelToken } from '#server/domain/platforms/account-channels.ts'
import { findTranscoder } from '#server/domain/ingest/transcoders-store.ts'
import { destinationOf, nameOf, pageOf, streamKeyOf } from './destination-input.ts'
import * as z from 'zod/mini'
import { rightCan } from '#contract/entities/roles.ts'

type Ctx = Context<'editor'>
interface InChannel {
  readonly project_id: number
  readonly channel_id: number
}

/** Creates the handler that saves stream settings of channels of one platform. */
const options =
  (platform: FormPlatform) =>
  async ({ project_id, channel_id, ...form }: InChannel, ctx: Ctx) => {
    const place = { projectId: project_id, channelId: channel_id }
    const { type } = await getChannel(ctx.db, place, 'editor')
    if (type !== platform) throw new RuleError('OtherPlatform', { type })
    await saveSettings(ctx, ctx.user, place, form)
    await describeChannel(ctx, place)
    return { success: true }
  }

type Forms = typeof forms
const formHandlers = Object.fromEntries(
  (Object.keys(forms) as FormPlatform[]).map((platform) => [forms[platform].operation, options(platform)]),
) as { [P in FormPlatform as Forms[P]['operation']]: ReturnType<typeof options> }

export const settingRoutes = implement(settings, {
  ...formHandlers,

  setName: async ({ project_id, channel_id, name }, ctx) => {
    await renameChannel(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, nameOf(name))
    return { success: true }
  },

  setRtmp: async ({ project_id, channel_id, url, stream_key }, ctx) => {
    const place = { projectId: project_id, channelId: channel_id }
    const { type } = await getChannel(ctx.db, place, 'editor')
    const destination = destinationOf(ctx, url, { property: 'url', type })
    const streamKey = stream_key === undefined ? undefined : streamKeyOf(stream_key)
    await moveChannel(ctx, ctx.user, place, { destination, streamKey })
    return { success: true }
  },

  setSrt: async ({ project_id, channel_id, url }, ctx) => {
    const place = { projectId: project_id, channelId: channel_id }
    const { type } = await getChannel(ctx.db, place, 'editor')
    if (type !== 'srt') throw new RuleError('OtherPlatform', { type })
    const destination = destinationOf(ctx, url, { property: 'url', type })
    await moveChannel(ctx, ctx.user, place, { destination })
    return { success: true }
  },

  setPage: async ({ project_id, channel_id, channel_url }, ctx) => {
    const page = channel_url.trim() === '' ? '' : pageOf(channel_url).url
    await setChannelPage(ctx, ctx.user, { projectId: project_id, channelId: channel_id }, page)
    return { success: true }
  },

  setTranscoder: async ({ project_id, channel_id, transcoder_id }, ctx) => {
    if (transcoder_id !== undefined && !(await findTranscoder(ctx.db, project_id, transcoder_id)))
      throw new RuleError('TranscoderNotFound')
    const place = { projectId: project_id, channelId: channel_id }
    await setPersonal(ctx, ctx.user, place, { transcoder_id: transcoder_id ?? null })
    return { success: true }
  },

  bulkUpdate: async ({ project_id, title, description, channel_ids }, ctx) => {
    const wanted = channel_ids && new Set(channel_ids)
    const rows = (await listAllChannels(ctx.db, project_id)).filter(({ id }) => wanted?.has(id) ?? true)
    const judged = rows.map((row) => ({
      id: row.id,
      isByKey: row.account_id === null,
      ...textsFor(row, { title, description }),
    }))
    const changes = judged.flatMap(({ id, texts }) => (texts ? [[id, texts] as const] : []))
    await mergeSettings(ctx, ctx.user, project_id, new Map(changes))
    const changed = rows.filter(
      ({ id, account_id }) => account_id !== null && changes.some(([changedId]) => changedId === id),
    )
    const refused = await describeAtPlatforms(ctx, project_id, changed)
    const resultOf = ({ id, isByKey, outcome }: (typeof judged)[number]): BulkOutcome => {
      if (refused.has(id)) return 'platform_refused'
      return outcome === 'updated' && isByKey ? 'by_key' : outcome
    }
    const results = judged.map((one) => ({ channel_id: one.id, outcome: resultOf(one) }))
    return { success: true, results }
  },

  getStatus: () => ({ message: null }),

  updateToken: async ({ project_id, channel_id }, ctx) => {
    await updateChannelToken(ctx, { projectId: project_id, channelId: channel_id })
    return { success: true }
  },
})

/** Concurrent calls to platforms. */
const atOnce = 5

/** @returns the channels whose platform did not take it */
async function describeAtPlatforms(ctx: Ctx, projectId: number, rows: readonly { readonly id: number }[]) {
  const refused = new Set<number>()
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce)
    const outcomes = await Promise.allSettled(some.map(({ id }) => describeChannel(ctx, { projectId, channelId: id })))
    outcomes.forEach(({ status }, index) => status === 'rejected' && refused.add(some[index]?.id ?? 0))
  }
  return refused
}

// One title and description for many channels: which platform takes them, by the forms of the contract.

interface Texts {
  readonly title: string
  /** Left out: each channel keeps its own. */
  readonly description?: string | undefined
}

/** Returns the outcome for a channel, and the texts that its platform would receive; none: nothing would change. */
function textsFor(
  { type, access_type }: Pick<ChannelRow, 'type' | 'access_type'>,
  { title, description }: Texts,
): { readonly outcome: BulkOutcome; readonly texts?: Partial<Texts> } {
  if (!rightCan(access_type, 'editor')) return { outcome: 'forbidden' }
  if (!takesSettings(type)) return { outcome: 'no_settings' }
  const { shape } = forms[type].fields
  const hasBoth = description !== undefined && 'description' in shape
  const texts = hasBoth ? { title, description } : { title }
  const fields = { title: shape.title, ...(hasBoth ? { description: shape.description } : {}) }
  const read = z.object(fields).safeParse(texts)
  if (read.success) return { outcome: 'updated', texts }
  const long = read.error.issues.some(({ code }) => code === 'too_big')
  return { outcome: long ? 'too_long' : 'not_allowed_text' }
}
