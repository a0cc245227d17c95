// Chats behind the channels of a broadcast: place, grant, abilities, and the state of the reader.
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { accountKinds, accountsOf, factsOf } from '#contract/platforms/platforms.ts'
import { chatPageName, type ChatPlace, chatSourceKey } from '#server/core/chat.ts'
import type { Services } from '#server/core/context.ts'
import type { Db, ReadDb } from '#server/db/open.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { abilitiesOf, chatOf, type Grant } from './capabilities-table.ts'
import { type ChatChannelRow, listBroadcastChannels, listProjectChannels } from './places-store.ts'
import { listReaders, type ReaderRow } from './readers-store.ts'

/** A chat of a broadcast or project. */
export interface ProjectChat {
  /** Null: the chat of a project off air. */
  readonly restreamId: number | null
  readonly channelId: number
  /** Null: the platform has no chat here, or too little is known about the channel. */
  readonly place: ChatPlace | null
  readonly capability: ChatCapability
}

/** Returns the place of a channel's chat; null when the platform has none or its source is unknown. */
export function placeOf(row: ChatChannelRow & { readonly video_id?: string | null }): ChatPlace | null {
  if (!chatOf(row.type)) return null
  const externalId = factsOf(row.type).bot ? (row.telegram_chat_id ?? '') : row.external_id
  const place = { platform: row.type, externalId, page: row.channel_url }
  const source = chatSourceKey(place)
  if (source === null) return null
  const accountId = row.account_status === 1 ? row.account_id : null
  return { ...place, source, accountId, videoId: row.video_id ?? null, revision: row.account_scopes ?? '' }
}

/** Returns whether the service has what the chats of a platform need. */
function hasSetup({ config }: Pick<Services, 'config'>, platform: ChatChannelRow['type']): boolean {
  const setup = chatOf(platform)?.setup
  if (setup === undefined) return true
  if (setup === 'key') return config.youtubeApiKey !== null
  const isRegistered = accountsOf(platform).some((name) => config.providers[accountKinds[name].oauth] !== null)
  return isRegistered && (setup === 'registration' || config.publicUrl !== null)
}

/** Returns the name of the page, or the id where a chat is found by it as well. */
function pageOf({ type, external_id: id, channel_url: url }: ChatChannelRow): string | null {
  const name = url === '' ? null : chatPageName(url)
  return name ?? (chatOf(type)?.byId && id !== '' ? id : null)
}

function grantOf(services: Pick<Services, 'config'>, row: ChatChannelRow, plan: boolean): Grant {
  const account = row.account_id === null ? 'none' : row.account_status === 1 ? 'works' : 'broken'
  return {
    account,
    scopes: row.account_scopes?.split(' ') ?? [],
    page: pageOf(row),
    bot: row.telegram_chat_id !== null && services.config.telegramBotToken !== null,
    setup: hasSetup(services, row.type),
    plan,
  }
}

/** Returns the chats of a broadcast, with their abilities. */
export async function chatsOfBroadcast(
  services: Pick<Services, 'clock' | 'config'>,
  db: ReadDb,
  broadcast: { readonly id: number; readonly project_id: number; readonly date_end: string | null },
): Promise<ProjectChat[]> {
  const { chat } = await limitsOf(services, db, broadcast.project_id)
  const rows = await listBroadcastChannels(db, [broadcast.id])
  return withStates(services, db, rows, { plan: chat, isOnAir: broadcast.date_end === null })
}

/** The chat of a restream that can be read. */
interface ReadableChat {
  readonly broadcast_id: number
  readonly restream_id: number
  readonly place: ChatPlace
}

/** Returns the chats of broadcasts that can be read. The plan of their projects has to include chat. */
export async function listReadableChats(
  services: Pick<Services, 'config'>,
  db: ReadDb,
  broadcastIds: readonly number[],
): Promise<ReadableChat[]> {
  const rows = await listBroadcastChannels(db, broadcastIds)
  return rows.flatMap((row) => {
    const place = placeOf(row)
    if (!place || !abilitiesOf(row.type, grantOf(services, row, true)).read) return []
    return [{ broadcast_id: row.broadcast_id, restream_id: row.restream_id, place }]
  })
}

/** Returns the chats of a project's active channels, off air. */
export async function chatsOfProject(
  services: Pick<Services, 'clock' | 'config'>,
  db: Db,
  projectId: number,
): Promise<ProjectChat[]> {
  const { chat } = await limitsOf(services, db, projectId)
  return withStates(services, db, await listProjectChannels(db, projectId), { plan: chat, isOnAir: false })
}

async function withStates(
  services: Pick<Services, 'config'>,
  db: ReadDb,
  rows: readonly (ChatChannelRow & { readonly restream_id?: number; readonly video_id?: string | null })[],
  { plan, isOnAir }: { readonly plan: boolean; readonly isOnAir: boolean },
): Promise<ProjectChat[]> {
  const places = rows.map(placeOf)
  const sources = places.flatMap((place) => (place ? [place.source] : []))
  const readers = new Map((await listReaders(db, sources)).map((reader) => [reader.source, reader]))
  return rows.map((row, index) => {
    const place = places[index] ?? null
    const abilities = abilitiesOf(row.type, grantOf(services, row, plan))
    const restreamId = row.restream_id ?? null
    return {
      restreamId,
      channelId: row.channel_id,
      place,
      capability: {
        restream_id: restreamId,
        channel_id: row.channel_id,
        name: row.channel_name,
        platform: row.type,
        ...stateOf(isOnAir && place && abilities.read ? readers.get(place.source) : undefined),
        ...abilities,
        ...(chatOf(row.type) ? {} : { reason: 'unsupported' as const }),
      },
    }
  })
}

const off = { state: 'off', reason: null, until: null, gap_since: null } as const
const stateOf = (reader: ReaderRow | undefined) =>
  reader
    ? {
        state: reader.state,
        reason: reader.reason,
        until: reader.date_retry,
        gap_since: reader.state === 'off' ? null : reader.date_gap,
      }
    : off
