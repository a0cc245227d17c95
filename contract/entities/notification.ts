// Notifications: kinds, channels and categories, and the form of texts and actions on the wire (published G).
import * as z from 'zod/mini'
import { languages } from '#contract/core/codes.ts'

/** Published kinds (`name`): 92 in the snapshot of 2025-11. The service creates some of them; all of them are filters. */
export const publishedKinds = [
  'high_bitrate',
  'request_access_channel',
  'request_access_project',
  'promocode_test',
  'stream_test',
  'plan_restream_expires',
  'plan_restream_expired',
  'plan_restream_renewed',
  'plan_transcoder_expires',
  'plan_transcoder_expired',
  'plan_transcoder_renewed',
  'plan_storage_expires',
  'plan_storage_expired',
  'plan_storage_renewed',
  'broadcast_unsupported_codec',
  'broadcast_unsupported_codec_screen',
  'broadcast_bitrate_exceeded_screen',
  'rtmp_connect_old_server_screen',
  'broadcast_not_audio',
  'broadcast_bitrate_exceeded',
  'broadcast_started',
  'broadcast_stopped',
  'restream_check_twitch_bitrate_1',
  'api_pause_start',
  'api_pause_end',
  'api_wait_edit',
  'api_restream_start',
  'api_restream_stop',
  'api_drop_broadcast',
  'api_drop_broadcast_remove_company',
  'api_drop_broadcast_update_key',
  'publisher_disconnected',
  'publisher_connected',
  'publisher_initializing',
  'publisher_close',
  'broadcast_connected_start',
  'broadcast_connected_end',
  'broadcast_connecting_stream',
  'broadcast_started_new_stream',
  'broadcast_connecting_lost',
  'broadcast_video_lost_start',
  'broadcast_video_lost_end',
  'broadcast_video_pause_start',
  'broadcast_video_pause_end',
  'broadcast_init_restream',
  'start_stream',
  'create_reader',
  'start_channel',
  'stop_channel',
  'stop_stream_video_timeout',
  'stop_stream_no_start_video',
  'stop_stream',
  'delete_reader',
  'transcoder_start',
  'transcoder_stop',
  'start_channel_failed',
  'start_channel_success',
  'api_channel_initializing_start',
  'api_channel_initializing_failed',
  'api_channel_initializing_success',
  'channel_api_update_settings_success',
  'channel_api_update_settings_error',
  'channel_api_update_playlist_success',
  'channel_api_update_playlist_error',
  'channel_api_update_chat_error',
  'channel_api_stream_key_success',
  'channel_api_stream_key_error',
  'channel_api_auto_stop_disable_success',
  'channel_api_auto_stop_disable_error',
  'channel_api_unbinding_stream_key_error',
  'channel_api_create_broadcast_success',
  'channel_api_create_broadcast_error',
  'channel_api_set_planned_success',
  'channel_api_set_planned_error',
  'channel_api_set_thumbnail_success',
  'channel_api_set_thumbnail_error',
  'channel_token_error',
  'channel_api_group_failed',
  'no_audio_reader',
  'restream_check_twitch_bitrate_2',
  'transcoder_support_error_screen',
  'transcoder_tariff_end_screen',
  'transcoder_count_flow_screen',
  'transcoder_resolution_screen',
  'stream_key_banned',
  'broadcast_change_codec',
  'broadcast_change_region',
  'video_upload_error',
  'stop_channel_error',
  'broadcast_user_action_stop',
  'completed_api_channel_error',
  'transcoder_twitch_tracks',
] as const

/** Own kinds (decided). */
export const ownKinds = [
  'stream_unhealthy',
  'channel_not_seen',
  'schedule_missed',
  'schedule_failed',
  'payment_failed',
  'plan_renewal_ahead',
  'plan_renewal_failed',
  'storage_nearly_full',
  'recordings_removal',
  'new_sign_in',
  'webhook_stopped',
  'channel_unreachable',
  'notification_test',
  'payment_refunded',
  'payment_disputed',
  'payment_dispute_won',
  'payment_dispute_lost',
  'payment_refund_failed',
  'invoice_issued',
  'balance_credited',
  'debt_opened',
  'plan_given',
  'plan_changed',
  'payout_sent',
  'payout_refused',
  'project_suspended',
  'project_resumed',
  'operator_transfer',
  'operator_payout',
  'operator_review',
  'operator_dispute',
  'operator_receipt',
  'operator_job',
  'operator_backup',
] as const

/** All kinds. */
export const notificationKinds = [...publishedKinds, ...ownKinds] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Category that a user switches on or off for each channel. */
export const NotifyCategory = z.enum(['important', 'stream'])
export type NotifyCategory = z.output<typeof NotifyCategory>

/** Channel of a notification. `cabinet` is the dashboard, `mobile` is web push; `email` is ours. */
export const NotifyChannel = z.enum(['telegram', 'cabinet', 'mobile', 'email'])
export type NotifyChannel = z.output<typeof NotifyChannel>

/** Severity, for icons and colours. */
export const NotifyLevel = z.enum(['debug', 'info', 'warning', 'error'])
export type NotifyLevel = z.output<typeof NotifyLevel>

const textLanguage = z.enum(['russian', 'english', 'none'])
const iso = z.enum(languages)

/** Title and text in one language. */
export const NotifyText = z.object({ language: textLanguage, language_iso: iso, title: z.string(), text: z.string() })
export type NotifyText = z.output<typeof NotifyText>

/** Name of an action. `cabinet_link` has a path of the dashboard in `value`. */
export const notifyActionNames = [
  'external_link',
  'cabinet_link',
  'landing_link',
  'link',
  'accept',
  'decline',
  'accept_1',
  'accept_2',
  'accept_3',
] as const

/** Button of a notification. `done` is true after the user has run it. */
export const NotifyAction = z.object({
  name: z.enum(notifyActionNames),
  value: z.string(),
  type: z.enum(['primary', 'secondary', 'link']),
  text: z.array(
    z.object({ language: textLanguage, language_iso: iso, title: z.string(), complited_title: z.string() }),
  ),
  icon: z.string(),
  group_id: z.string(),
  group_type: z.enum(['toggle', 'select', 'default']),
  done: z.optional(z.boolean()),
})
export type NotifyAction = z.output<typeof NotifyAction>
