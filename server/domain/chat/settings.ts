// Settings of a project's chat.
import type { ChatSettings } from '#contract/entities/chat-message.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { RuleError } from '#server/core/errors.ts'
import { type Filters, mutedKey } from './filter.ts'
import {
  findSettings,
  insertMuted,
  listMuted,
  removeMuted,
  type SettingsRow,
  upsertSettings,
} from './settings-store.ts'
import { plain } from './texts.ts'

const mutedMax = 1_000
const defaults = { words: '[]', hide_bots: 0, hide_commands: 0, hold_back: 0, keep_days: null } as const

type ChatServices = Pick<Services, 'config'>

/** Returns the settings of a project. */
export async function readSettings({ config }: ChatServices, db: ReadDb, projectId: number): Promise<ChatSettings> {
  const row = (await findSettings(db, projectId)) ?? defaults
  const muted = await listMuted(db, projectId)
  return {
    words: JSON.parse(row.words) as string[],
    hide_bots: row.hide_bots === 1,
    hide_commands: row.hide_commands === 1,
    hold_back: row.hold_back,
    keep_days: Math.min(row.keep_days ?? config.chatKeepDays, config.chatKeepDays),
    muted: muted.map(({ platform, author_id, name, date_create }) => ({
      platform,
      sender_id: author_id,
      name,
      date_create,
    })),
  }
}

/** Returns the filters of a project. */
export async function filtersOf(services: Pick<Services, 'config'>, db: ReadDb, projectId: number): Promise<Filters> {
  const { words, hide_bots, hide_commands, muted } = await readSettings(services, db, projectId)
  return {
    words,
    hideBots: hide_bots,
    hideCommands: hide_commands,
    muted: new Set(muted.map(({ platform, sender_id }) => mutedKey(platform, sender_id))),
  }
}

/** An author at a platform. */
interface Author {
  readonly platform: PlatformType
  readonly sender_id: string
}

/** Changes of settings; what is left out stays. */
export interface SettingsChange {
  readonly words?: readonly string[] | undefined
  readonly hide_bots?: boolean | undefined
  readonly hide_commands?: boolean | undefined
  readonly hold_back?: number | undefined
  readonly keep_days?: number | undefined
  readonly mute?: (Author & { readonly name: string }) | undefined
  readonly unmute?: Author | undefined
}

/** Changes the settings of a project; messages that are stored already stay as they are. @throws RuleError `TooManyMuted` */
export async function changeSettings(
  services: Services,
  projectId: number,
  change: SettingsChange,
): Promise<ChatSettings> {
  return projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const row = (await findSettings(trx, projectId)) ?? { ...defaults, project_id: projectId }
    await upsertSettings(trx, merged(row, change))
    if (change.mute) await mute(services, trx, projectId, change.mute)
    if (change.unmute) await removeMuted(trx, projectId, change.unmute.platform, change.unmute.sender_id)
    return readSettings(services, trx, projectId)
  })
}

/** Mutes an author, unless they are muted already. @throws RuleError `TooManyMuted` */
export async function mute(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  projectId: number,
  { platform, sender_id, name }: Author & { readonly name: string },
): Promise<void> {
  const muted = await listMuted(trx, projectId)
  if (muted.some((one) => one.platform === platform && one.author_id === sender_id)) return
  if (muted.length >= mutedMax) throw new RuleError('TooManyMuted', { max: mutedMax })
  const date_create = iso(clock.now())
  await insertMuted(trx, { project_id: projectId, platform, author_id: sender_id, name: plain(name), date_create })
}

function merged(
  row: SettingsRow,
  { words, hide_bots, hide_commands, hold_back, keep_days }: SettingsChange,
): SettingsRow {
  const flag = (now: 0 | 1, next: boolean | undefined) => (next === undefined ? now : next ? 1 : 0)
  return {
    ...row,
    words: words ? JSON.stringify([...new Set(words.map((word) => plain(word.trim())).filter(Boolean))]) : row.words,
    hide_bots: flag(row.hide_bots, hide_bots),
    hide_commands: flag(row.hide_commands, hide_commands),
    hold_back: hold_back ?? row.hold_back,
    keep_days: keep_days ?? row.keep_days,
  }
}
