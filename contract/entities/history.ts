// Actions in the history of a project, and the details of each: names of what changed, never a secret.
import { LadderChoice, SilenceChoice, TrackChoice } from './tracks.ts'
import * as z from 'zod/mini'
import { lineNames } from './plan.ts'
import { AccessType } from './roles.ts'

const text = z.optional(z.string())
const right = z.optional(AccessType)
const Named = z.object({ name: z.string() })
/** The line of plans. Restream is left out of entries that name a plan. */
const line = z.optional(z.enum(lineNames))
const Bought = z.object({
  plan: z.string(),
  period: z.optional(z.nullable(z.string())),
  line,
  /** What the purchase did: an upgrade, a queued plan. */
  action: text,
})
const Line = z.object({ line })
const Money = z.object({ amount: z.number(), currency: z.string(), payment_id: z.int() })
const PullKey = z.object({ name: z.string(), was: text, transport: text, region: text })
const Broadcast = z.object({ broadcast_id: z.int() })
const Nothing = z.object({})
const Stopped = z.object({ name: z.string(), reason: text })

/** An invitation to a channel or to a project, or the answer to it. */
const invite = { invite_id: z.optional(z.int()), access_type: right, email: text }
const Member = z.object({ user_id: z.optional(z.int()), name: text, from: right, to: right, ...invite })
/** `project`: the other project of a shared channel. `from`, `to`: rights of the guest project. */
const Channel = z.object({
  name: text,
  project: text,
  was: text,
  type: text,
  from: right,
  to: right,
  ...invite,
  tracks: z.optional(TrackChoice),
  silence: z.optional(SilenceChoice),
  ladder: z.optional(LadderChoice),
  healing: z.optional(z.boolean()),
  active: z.optional(z.boolean()),
  /** Why the service switched it off. */
  reason: text,
  delay_seconds: z.optional(z.number()),
  transcoder_id: z.optional(z.nullable(z.int())),
  address: text,
  page: text,
  /** Names of the changed settings of the broadcast. */
  settings: z.optional(z.readonly(z.array(z.string()))),
  planned: z.optional(z.nullable(z.unknown())),
  telegram_chat: z.optional(z.nullable(z.unknown())),
  handed_over: z.optional(z.boolean()),
})

/** Reasons why an encoder was refused; `wrong_passphrase`: of an SRT caller that named the project. */
export const encoderRefusalReasons = [
  'another_encoder',
  'replaced_key',
  'wrong_passphrase',
  'bitrate',
  'too_many_broadcasts',
  'server_full',
  'suspended',
] as const

/** Details by action: the published actions of users and channels, then ours. */
export const historyDetails = {
  project_channel_invite_add: Channel,
  project_channel_invite_del: Channel,
  project_channel_invite_accept: Channel,
  project_channel_invite_decline: Channel,
  user_project_invite_add: Member,
  user_project_invite_del: Member,
  user_project_invite_accept: Member,
  user_project_invite_decline: Member,
  user_project_add: Member,
  user_project_del: Member,
  user_project_change: Member,
  project_channel_add: Channel,
  project_channel_del: Channel,
  project_channel_change: Channel,
  project_created: Named,
  project_changed: z.object({ name: text, was: text }),
  plan_bought: Bought,
  plan_cancelled: Bought,
  plan_renewed: Bought,
  plan_renewal_on: Line,
  plan_renewal_off: Line,
  plan_notice: z.object({ line, plan: z.nullable(z.string()), name: z.string(), date_end: text }),
  billing_details_changed: z.object({ country: z.string(), currency: text }),
  promo_applied: Named,
  payout_created: Named,
  payout_cancelled: Nothing,
  balance_moved: Named,
  stream_key_rotated: Nothing,
  stats_key_rotated: Nothing,
  stream_record_on: Nothing,
  stream_record_off: Nothing,
  stream_wait: z.object({ minutes: z.number() }),
  stream_quality: z.object({ kbps: z.nullable(z.number()) }),
  remote_source_started: Named,
  remote_source_stopped: Named,
  schedule_created: Named,
  schedule_changed: Named,
  schedule_removed: Named,
  schedule_stopped: Named,
  stream_lost_picture: Named,
  stream_pause_picture: Named,
  encoder_refused: z.object({ network: z.string(), reason: z.enum(encoderRefusalReasons) }),
  pull_key_created: PullKey,
  pull_key_changed: PullKey,
  pull_key_removed: PullKey,
  transcoder_created: z.object({ name: z.string(), channels: z.optional(z.readonly(z.array(z.int()))) }),
  transcoder_changed: Named,
  transcoder_removed: Named,
  transcoder_stopped: Stopped,
  transcoder_started: Stopped,
  broadcast_began: Broadcast,
  broadcast_ended: Broadcast,
  recording_removed: z.object({ broadcast_id: z.nullable(z.int()), recorded_at: z.string(), reason: text }),
  storage_notice: z.record(z.string(), z.unknown()),
  payment_received: Money,
  payment_refunded: Money,
  payment_disputed: Money,
  payment_dispute_won: Money,
} as const

export type HistoryAction = keyof typeof historyDetails
/** All recorded actions. */
export const historyActions = Object.keys(historyDetails) as [HistoryAction, ...HistoryAction[]]

/** Returns whether an action concerns plans or money. */
export const isMoneyAction = (action: HistoryAction): boolean =>
  /^(plan|billing|promo|payout|balance|payment)_/.test(action)

/** Details of an action. */
export type HistoryDetails<A extends HistoryAction> = z.output<(typeof historyDetails)[A]>
/** An action with its details. */
export type HistoryChange = {
  readonly [A in HistoryAction]: { readonly action: A } & (HistoryDetails<A> extends Record<string, never>
    ? { readonly details?: never }
    : { readonly details: HistoryDetails<A> })
}[HistoryAction]
