// English texts of notifications.
import type { FailedChannel, KindParams } from './kinds.ts'
import type { TitleAndText, Texts } from './texts-types.ts'
import { day, gigabytes, list, minute, plain } from './texts-format.ts'
import { channelReason, renewalReason } from './texts-reasons.ts'

const lines = { restream: 'Restream', transcoding: 'Transcoding', storage: 'Storage' }
const stops = {
  restream: 'The project returns to the Free plan. Channels that it does not allow are switched off.',
  transcoding: 'Transcoders that the Free plan does not allow are switched off. Their channels receive nothing.',
  storage: 'Recording stops when the space of your restream plan is used.',
}
const channels = { email: 'E-mail', telegram: 'Telegram', mobile: 'Browser notifications', cabinet: 'The dashboard' }

const expires = ({ line, plan, date_end }: KindParams['plan_restream_expires']): TitleAndText => [
  `${plan} ends on ${day('en', date_end)}`,
  stops[line],
]
const expired = ({ line, plan }: KindParams['plan_restream_expired']): TitleAndText => [
  `${plan} has ended`,
  stops[line],
]
const renewed = ({ line, plan, price }: KindParams['plan_restream_renewed']): TitleAndText => [
  `${lines[line]}: “${plan}” was renewed`,
  `The plan was renewed for ${price}. The receipt is in the billing history.`,
]
const namesOf = (all: readonly FailedChannel[]) =>
  list(
    all.map(({ name }) => name),
    (count) => `${count} more`,
  )
const codec = ({ codec: name, channel }: KindParams['broadcast_unsupported_codec']): TitleAndText => [
  `${plain(channel)} does not support ${plain(name)}`,
  'Viewers there may see or hear nothing. Change the codec in your encoder.',
]
const bitrate = ({ words }: KindParams['broadcast_bitrate_exceeded']): TitleAndText => [
  'The bitrate exceeds your plan',
  `${words}. Lower the bitrate in your encoder, or choose a plan with a higher limit.`,
]

export const en: Texts = {
  kinds: {
    broadcast_started: () => ['The broadcast has started', 'Your stream is on air.'],
    broadcast_stopped: () => ['The broadcast has ended', 'Its figures and recordings are under Broadcasts.'],
    broadcast_connecting_lost: () => [
      'The encoder is disconnected',
      'The server receives no stream. Check the encoder and its network connection.',
    ],
    start_channel_failed: ({ channels: all }) => {
      const failed = all.filter((one) => one.failed)
      const [first] = failed
      if (failed.length === 1 && first)
        return [
          `${plain(first.name)} is not receiving the stream`,
          channelReason('en', first.reason) || 'The server keeps trying.',
        ]
      return [`${failed.length} channels are not receiving the stream`, `${namesOf(failed)}.`]
    },
    start_channel_success: ({ channels: all }) =>
      all.length === 1
        ? [`${namesOf(all)} is live again`, 'The channel receives the stream.']
        : ['All channels are live again', `${namesOf(all)}.`],
    channel_token_error: ({ platform, account }) => [
      `${platform}: connect the account ${plain(account)} again`,
      'The platform no longer accepts this account. Its channels cannot start until you connect it again.',
    ],
    channel_api_update_chat_error: ({ platform, account }) => [
      `${platform}: the chat cannot be read`,
      `Connect the account ${plain(account)} again to read and write its chat.`,
    ],
    stream_unhealthy: () => [
      'The incoming stream has problems',
      'Frames arrive late or are missing. Check the network connection and the load of your encoder.',
    ],
    broadcast_bitrate_exceeded: bitrate,
    broadcast_bitrate_exceeded_screen: bitrate,
    broadcast_not_audio: () => ['The stream has no sound', 'Check the sound sources of your encoder.'],
    broadcast_unsupported_codec: codec,
    broadcast_unsupported_codec_screen: codec,
    plan_restream_expires: expires,
    plan_transcoder_expires: expires,
    plan_storage_expires: expires,
    plan_restream_expired: expired,
    plan_transcoder_expired: expired,
    plan_storage_expired: expired,
    plan_restream_renewed: renewed,
    plan_transcoder_renewed: renewed,
    plan_storage_renewed: renewed,
    plan_renewal_ahead: ({ line, plan, price, date_end, next }) => [
      `${lines[line]}: “${plan}” renews soon`,
      `The plan ends on ${minute('en', date_end)}. It renews automatically from ${minute('en', next ?? date_end)} for ${price}. You can switch the renewal off.`,
    ],
    plan_renewal_failed: ({ line, plan, price, date_end, next, reason }) => [
      next === null ? `${lines[line]}: “${plan}” will end` : `${lines[line]}: “${plan}” could not be renewed`,
      `The renewal for ${price} failed: ${renewalReason('en', reason)}. ${next === null ? 'It is not tried again.' : `The next try is on ${minute('en', next)}.`} The plan ends on ${minute('en', date_end)}.`,
    ],
    payment_failed: ({ amount }) => [
      `The payment of ${amount} failed`,
      'Nothing was charged. Try again, or pay another way.',
    ],
    storage_nearly_full: ({ percent }) => [
      `Recordings use ${percent}% of your storage`,
      'Recording stops when it is full. Delete recordings or get more space.',
    ],
    recordings_removal: ({ removing_at, files, size }) => [
      `Recordings will be deleted on ${minute('en', removing_at)}`,
      `The recordings of your project exceed its space. The oldest ones are deleted then: ${files} ${files === 1 ? 'file' : 'files'}, ${gigabytes('en', size)} GB. Download them, delete others, or get more space before that.`,
    ],
    request_access_project: ({ project, from }) => [
      `Invitation to the project “${plain(project)}”`,
      `${plain(from)} invites you to the project.`,
    ],
    request_access_channel: ({ project, channel }) => [
      `“${plain(project)}” shares the channel “${plain(channel)}” with you`,
      'Accept to use the channel in your project.',
    ],
    new_sign_in: ({ device, date }) => [
      'New sign-in to your account',
      `${plain(device)}, ${minute('en', date)}. If this was not you, end the session and change your password.`,
    ],
    webhook_stopped: ({ host, reason }) => [
      `The webhook of ${host} was stopped`,
      reason === 'secret'
        ? 'The server’s secret has changed, so the webhook cannot sign messages. Create a new webhook secret, then switch the webhook on again.'
        : 'It did not accept messages. Check its server, then switch the webhook on again.',
    ],
    channel_unreachable: ({ channel }) => [
      `${channels[channel]} did not reach you`,
      'Check the channel in the notification settings.',
    ],
    notification_test: () => ['Test notification', 'Notifications reach you here.'],
  },
  more: (count) => `${count} notifications`,
  accept: ['Accept', 'Accepted'],
  decline: ['Decline', 'Declined'],
  open: 'Open',
  settings: (url) => `Notification settings: ${url}`,
  telegram: {
    linked: (name) => `Notifications of the Relaydeck account ${plain(name)} arrive here. Send /stop to end them.`,
    expired: () => 'This link is used or too old. Get a new one in the notification settings.',
    stopped: () => 'This chat receives no more notifications.',
    unknown: () => 'This chat is not connected. Open the link from the notification settings.',
  },
}
