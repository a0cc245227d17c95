// Kinds of notifications that the service creates: category, recipients, default channels, settling time, and target page.
import type { NeededRole } from '#contract/core/operation.ts'
import type { NeededScope } from '#contract/core/scopes.ts'
import type { InputFault } from '#contract/entities/on-air.ts'
import type { NotificationKind, NotifyCategory, NotifyChannel, NotifyLevel } from '#contract/entities/notification.ts'
import type { RunReason } from '#contract/entities/schedule.ts'
import type { LineName } from '#contract/entities/plan.ts'

/** A channel of a broadcast that failed, or recovered. */
export interface FailedChannel {
  readonly id: number
  readonly name: string
  /** Code of the reason, as events of broadcasts name it. */
  readonly reason: string | null
  readonly failed: boolean
}

interface InBroadcast {
  readonly broadcast_id: number
}
/** A fault of the incoming stream. */
interface InputIncident extends InBroadcast {
  /** Rows of earlier releases have none. */
  readonly fault?: InputFault
  readonly over?: boolean
}
interface PlanEnd {
  readonly line: LineName
  readonly plan: string
  readonly date_end: string
}
interface Renewal extends PlanEnd {
  /** Price with its currency. */
  readonly price: string
  /** What the balance lacks at the time of the notice, with its currency; null or none: enough, or a method is saved. */
  readonly missing?: string | null
  readonly next: string | null
  readonly reason: string | null
}
/** `amount`: amount with its currency. */
interface MoneyBack {
  readonly payment_id: number
  readonly amount: string
}
/** Money that entered a balance, with its currency. Null: nothing. */
interface MoneyIn {
  readonly amount: string
  /** Part that paid a debt. Rows of earlier releases do not have it. */
  readonly debt?: string | null
  /** Part that entered the balance. */
  readonly rest?: string | null
  /** Debt that is left. */
  readonly owed?: string | null
}
/** What waits for a decision of the operators. */
interface Decision {
  /** It was made. */
  readonly over?: boolean
}
/** A decision about money. */
interface Case extends Decision {
  readonly project: string
  /** Amount with its currency. */
  readonly amount: string
}
/** A run of a schedule that was missed or failed. */
interface BadRun {
  /** Name of the schedule. */
  readonly schedule: string
  readonly date: string
  readonly reason: RunReason
}
interface Invitation {
  readonly invite_id: number
  readonly project: string
  readonly from: string
}

/** Parameters of the kinds; the texts are made from them. They never hold a secret. */
export interface KindParams {
  readonly broadcast_started: InBroadcast
  readonly broadcast_stopped: InBroadcast
  readonly broadcast_connecting_lost: InBroadcast & { readonly over?: boolean }
  readonly start_channel_failed: InBroadcast & { readonly channels: readonly FailedChannel[] }
  readonly start_channel_success: InBroadcast & { readonly channels: readonly FailedChannel[] }
  readonly channel_token_error: { readonly platform: string; readonly account: string }
  readonly channel_api_update_chat_error: { readonly platform: string; readonly account: string }
  readonly stream_unhealthy: InputIncident
  /** `ended`: the platform showed the broadcast before. */
  readonly channel_not_seen: InBroadcast & {
    readonly channel: string
    readonly ended: boolean
    /** Reason in the words of the platform. */
    readonly words?: string | undefined
    readonly over?: boolean
  }
  readonly schedule_missed: BadRun
  readonly schedule_failed: BadRun
  readonly channel_api_create_broadcast_success: InBroadcast & { readonly channel: string; readonly page: string }
  readonly channel_api_create_broadcast_error: InBroadcast & {
    readonly channel: string
    /** Code of the reason, as events of broadcasts name it. */
    readonly reason: string
    /** Reason in the words of the platform; null: none. */
    readonly words: string | null
  }
  /** `words`: incoming and allowed bitrate. */
  readonly broadcast_bitrate_exceeded: InBroadcast & { readonly words: string; readonly over?: boolean }
  readonly broadcast_bitrate_exceeded_screen: InBroadcast & { readonly words: string }
  readonly broadcast_not_audio: InputIncident
  readonly broadcast_unsupported_codec: InBroadcast & { readonly codec: string; readonly channel: string }
  readonly broadcast_unsupported_codec_screen: InBroadcast & { readonly codec: string; readonly channel: string }
  readonly plan_restream_expires: PlanEnd
  readonly plan_transcoder_expires: PlanEnd
  readonly plan_storage_expires: PlanEnd
  readonly plan_restream_expired: PlanEnd
  readonly plan_transcoder_expired: PlanEnd
  readonly plan_storage_expired: PlanEnd
  readonly plan_restream_renewed: Renewal
  readonly plan_transcoder_renewed: Renewal
  readonly plan_storage_renewed: Renewal
  readonly plan_renewal_ahead: Renewal
  readonly plan_renewal_failed: Renewal
  /** `amount`: amount with its currency. */
  readonly payment_failed: { readonly payment_id: number; readonly amount: string }
  readonly storage_nearly_full: { readonly percent: number }
  readonly recordings_removal: { readonly removing_at: string; readonly files: number; readonly size: number }
  readonly request_access_project: Invitation
  readonly request_access_channel: Invitation & { readonly channel_id: number; readonly channel: string }
  readonly new_sign_in: { readonly device: string; readonly date: string }
  readonly webhook_stopped: { readonly host: string; readonly reason: string }
  readonly channel_unreachable: { readonly channel: NotifyChannel }
  readonly notification_test: { readonly date: string }
  readonly payment_refunded: MoneyBack
  readonly payment_disputed: MoneyBack
  readonly payment_dispute_won: MoneyIn & { readonly payment_id: number }
  readonly payment_dispute_lost: MoneyBack
  readonly payment_refund_failed: MoneyIn & { readonly payment_id: number }
  readonly invoice_issued: MoneyBack & { readonly number: string }
  /** `payment_id`: null for a credit of the operator. `outcome`: of the purchase of `plan` that the payment was for. */
  readonly balance_credited: MoneyIn & {
    readonly payment_id: number | null
    readonly plan?: string
    readonly outcome?: 'bought' | 'kept'
  }
  /** `amount`: the whole debt. */
  readonly debt_opened: { readonly amount: string }
  readonly plan_given: PlanEnd
  /** By an operator. Amounts with their currency; null: nothing was charged or returned. */
  readonly plan_changed: PlanEnd & {
    readonly date_start: string
    readonly charged: string | null
    readonly returned: string | null
  }
  readonly payout_sent: { readonly amount: string; readonly reference: string }
  readonly payout_refused: { readonly amount: string; readonly reason: string }
  readonly project_suspended: { readonly project: string; readonly reason: string }
  readonly project_resumed: { readonly project: string }
  readonly operator_transfer: Case
  readonly operator_payout: Case
  readonly operator_review: Case
  readonly operator_dispute: Case
  readonly operator_receipt: Case
  /** `job`: kind and key. */
  readonly operator_job: Decision & { readonly job: string; readonly error: string }
  /** `date`: last backup. */
  readonly operator_backup: Decision & { readonly date: string }
}

/** A kind that the service creates. The other published kinds are filters only. */
export type CreatedKind = keyof KindParams & NotificationKind

/** Facts about a kind. */
export interface KindSpec {
  readonly category: NotifyCategory
  readonly level: NotifyLevel
  /** Least role of its recipients; null: the person that the fact concerns. */
  readonly role: NeededRole | null
  /** Scope that webhooks of programs need to hear it; default: `project:read`. */
  readonly hears?: NeededScope
  /** Sent by e-mail unless the recipient switched it off. */
  readonly email?: true
  /** Time before it is shown and sent, milliseconds: the contrary fact within it removes both. */
  readonly settleMs?: number
  /** The kind that reports the contrary fact. */
  readonly contrary?: CreatedKind
  /** A banner of the project, and not a row of the list. */
  readonly isScreen?: true
  /** Later events join the row, so that it is stored also for recipients that no channel reaches: webhooks report the events. */
  readonly isJoined?: true
  /** Shown in the dashboard only. */
  readonly isInApp?: true
  /** Recipients are the operators of the installation. */
  readonly isForOperators?: true
  /** The recipient accepts or declines an invitation. */
  readonly isInvitation?: true
  /** Path below `/p/:project` that it leads to; paths of the account and of operators stand alone. */
  readonly link: (params: never) => string
}

const settling = 30_000
const onAir = ({ broadcast_id }: InBroadcast): string => `/broadcasts/${broadcast_id}`
const setUp = (): string => '/stream-setup'
const lineOf = ({ line }: { readonly line: LineName }): string => `/tariffs/${line}`

const broadcast = { hears: 'broadcasts:read' } as const
const channel = { hears: 'channels:read' } as const
const air = { ...broadcast, category: 'stream', level: 'info', role: 'viewer', link: onAir } as const
const health = {
  ...broadcast,
  category: 'stream',
  level: 'warning',
  role: 'viewer',
  settleMs: 60_000,
  link: onAir,
} as const
const newBroadcast = { ...broadcast, category: 'important', role: 'editor', email: true, link: onAir } as const
const badRun = {
  ...broadcast,
  category: 'important',
  level: 'error',
  role: 'owner',
  email: true,
  link: () => '/broadcasts/schedule',
} as const
const money = { hears: 'billing:read', category: 'important', role: 'owner', email: true } as const
const paymentOf = ({ payment_id }: { readonly payment_id: number | null }): string =>
  payment_id === null ? '/billing' : `/billing/payments/${payment_id}`
const expires = { ...money, level: 'warning', link: lineOf } as const
const expired = { ...money, level: 'error', link: lineOf } as const
const renewed = { ...money, level: 'info', link: () => '/billing/history' } as const
const account = {
  ...channel,
  category: 'important',
  level: 'error',
  role: 'editor',
  email: true,
  link: () => '/channels/accounts',
} as const
const operators = {
  category: 'important',
  level: 'warning',
  role: null,
  email: true,
  isForOperators: true,
} as const
const invitation = { category: 'important', level: 'info', isInvitation: true, email: true } as const

/** Every kind that the service creates. */
export const kinds: Readonly<Record<CreatedKind, KindSpec>> = {
  broadcast_started: { ...air, settleMs: settling },
  broadcast_stopped: { ...air, settleMs: settling, contrary: 'broadcast_started' },
  broadcast_connecting_lost: {
    ...broadcast,
    category: 'important',
    level: 'error',
    role: 'viewer',
    settleMs: settling,
    link: setUp,
  },
  start_channel_failed: {
    ...channel,
    category: 'important',
    level: 'error',
    role: 'editor',
    email: true,
    settleMs: settling,
    isJoined: true,
    link: onAir,
  },
  start_channel_success: { ...channel, category: 'stream', level: 'info', role: 'editor', link: onAir },
  channel_token_error: account,
  channel_api_update_chat_error: { ...account, level: 'warning' },
  stream_unhealthy: { ...health, settleMs: settling },
  channel_not_seen: { ...health, level: 'error', settleMs: 0 },
  schedule_missed: badRun,
  schedule_failed: badRun,
  channel_api_create_broadcast_success: { ...newBroadcast, level: 'info' },
  channel_api_create_broadcast_error: { ...newBroadcast, level: 'error' },
  broadcast_bitrate_exceeded: health,
  broadcast_bitrate_exceeded_screen: { ...health, settleMs: 0, isScreen: true },
  broadcast_not_audio: { ...health, settleMs: settling },
  broadcast_unsupported_codec: health,
  broadcast_unsupported_codec_screen: { ...health, settleMs: 0, isScreen: true },
  plan_restream_expires: expires,
  plan_transcoder_expires: expires,
  plan_storage_expires: expires,
  plan_restream_expired: expired,
  plan_transcoder_expired: expired,
  plan_storage_expired: expired,
  plan_restream_renewed: renewed,
  plan_transcoder_renewed: renewed,
  plan_storage_renewed: renewed,
  plan_renewal_ahead: { ...money, level: 'info', link: () => '/billing/cards' },
  plan_renewal_failed: { ...money, level: 'error', link: () => '/billing/cards' },
  payment_failed: {
    ...money,
    level: 'error',
    link: paymentOf,
  },
  storage_nearly_full: { ...money, level: 'warning', link: () => '/tariffs/storage' },
  recordings_removal: { ...money, ...broadcast, level: 'warning', link: () => '/broadcasts' },
  request_access_project: { ...invitation, role: null, link: () => '/notifications' },
  request_access_channel: { ...invitation, role: 'owner', link: () => '/channels/shared' },
  new_sign_in: { category: 'important', level: 'warning', role: null, email: true, link: () => '/account/sessions' },
  webhook_stopped: { ...money, hears: 'project:read', level: 'error', link: () => '/notifications/webhooks' },
  channel_unreachable: {
    category: 'important',
    level: 'warning',
    role: null,
    isInApp: true,
    link: () => '/notifications/settings',
  },
  notification_test: {
    category: 'important',
    level: 'info',
    role: null,
    email: true,
    link: () => '/notifications/settings',
  },
  payment_refunded: { ...money, level: 'info', link: paymentOf },
  payment_disputed: { ...money, level: 'warning', link: paymentOf },
  payment_dispute_won: { ...money, level: 'info', link: paymentOf },
  payment_dispute_lost: { ...money, level: 'info', link: paymentOf },
  payment_refund_failed: { ...money, level: 'warning', link: paymentOf },
  invoice_issued: { ...money, level: 'info', link: paymentOf },
  balance_credited: { ...money, level: 'info', link: paymentOf },
  debt_opened: { ...money, level: 'error', link: () => '/billing' },
  plan_given: { ...money, level: 'info', link: lineOf },
  plan_changed: { ...money, level: 'info', link: lineOf },
  payout_sent: { ...money, level: 'info', link: () => '/billing/payouts' },
  payout_refused: { ...money, level: 'warning', link: () => '/billing/payouts' },
  project_suspended: { category: 'important', level: 'error', role: 'viewer', email: true, link: () => '' },
  project_resumed: { category: 'important', level: 'info', role: 'viewer', email: true, link: () => '' },
  operator_transfer: { ...operators, link: () => '/operator/payments?status=transfer' },
  operator_payout: { ...operators, link: () => '/operator/payouts?status=waiting' },
  operator_review: { ...operators, link: () => '/operator/payments?status=review' },
  operator_dispute: { ...operators, link: () => '/operator/payments?status=dispute' },
  operator_receipt: { ...operators, link: () => '/operator/health' },
  operator_job: { ...operators, link: () => '/operator/health' },
  operator_backup: { ...operators, link: () => '/operator/health' },
}

/** Kinds whose recipients are the operators of the installation. */
export type OperatorKind = Extract<CreatedKind, `operator_${string}`>

/** Those kinds. */
export const operatorKinds = (Object.keys(kinds) as CreatedKind[]).filter((kind) => kinds[kind].isForOperators)

/** Returns the facts about a stored kind; undefined for one of another release. */
export const kindOf = (kind: string): KindSpec | undefined => kinds[kind as CreatedKind]

/** Returns the level of a notification. An incident that is over is information. */
export function levelOf({ kind, params }: { readonly kind: string; readonly params: string }): NotifyLevel {
  const { over } = JSON.parse(params) as { readonly over?: boolean }
  return over === true ? 'info' : (kindOf(kind)?.level ?? 'info')
}

/** Returns the path of the dashboard that a notification leads to. */
export function linkOf(kind: string, projectId: number, params: object): string | null {
  const spec = kindOf(kind)
  if (!spec) return null
  const path = spec.link(params as never)
  return /^\/(?:account|operator)\b/.test(path) ? path : `/p/${projectId}${path}`
}

/** Published prefixes of the kinds about plans, by line. */
const linePrefixes = { restream: 'plan_restream', transcoding: 'plan_transcoder', storage: 'plan_storage' } as const

/** Returns the kind about the plan of a line. @example planKind('transcoding', 'expired') // 'plan_transcoder_expired' */
export const planKind = <E extends 'expires' | 'expired' | 'renewed'>(line: LineName, event: E) =>
  `${linePrefixes[line]}_${event}` as const
