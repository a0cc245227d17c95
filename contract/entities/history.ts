// Actions in the history of a project.

/** Published actions: users and channels. */
export const publishedActions = [
  'project_channel_invite_add',
  'project_channel_invite_del',
  'project_channel_invite_accept',
  'project_channel_invite_decline',
  'user_project_invite_add',
  'user_project_invite_del',
  'user_project_invite_accept',
  'user_project_invite_decline',
  'user_project_add',
  'user_project_del',
  'user_project_change',
  'project_channel_add',
  'project_channel_del',
  'project_channel_change',
] as const

/** Own actions (decided): project, plans, stream key, pull keys, transcoders, broadcasts, recordings. */
export const ownActions = [
  'project_created',
  'project_changed',
  'plan_bought',
  'plan_cancelled',
  'plan_renewed',
  'plan_renewal_on',
  'plan_renewal_off',
  'plan_notice',
  'billing_details_changed',
  'promo_applied',
  'payout_created',
  'payout_cancelled',
  'balance_moved',
  'stream_key_rotated',
  'stream_record_on',
  'stream_record_off',
  'stream_wait',
  'encoder_refused',
  'pull_key_created',
  'pull_key_changed',
  'pull_key_removed',
  'transcoder_created',
  'transcoder_changed',
  'transcoder_removed',
  'transcoder_stopped',
  'transcoder_started',
  'broadcast_began',
  'broadcast_ended',
  'recording_removed',
  'storage_notice',
  'payment_received',
  'payment_refunded',
  'payment_disputed',
  'payment_dispute_won',
] as const

/** All recorded actions. */
export const historyActions = [...publishedActions, ...ownActions] as const
export type HistoryAction = (typeof historyActions)[number]
