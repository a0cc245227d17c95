// Chinese texts of notifications.
import type { FailedChannel, KindParams } from './kinds.ts'
import type { TitleAndText, Texts } from './texts-types.ts'
import { day, gigabytes, list, minute, plain } from './texts-format.ts'
import { channelReason, renewalReason } from './texts-reasons.ts'

const lines = { restream: '转播', transcoding: '转码', storage: '存储' }
const stops = {
  restream: '项目将恢复为 Free 套餐，超出限制的频道会被关闭。',
  transcoding: '超出 Free 套餐的转码器会被停用，其频道将收不到任何内容。',
  storage: '转播套餐自带的空间用完后将停止录制。',
}
const channels = { email: '邮件', telegram: 'Telegram 消息', mobile: '浏览器通知', cabinet: '通知' }

const expires = ({ line, plan, date_end }: KindParams['plan_restream_expires']): TitleAndText => [
  `${plan} 套餐将于 ${day('cn', date_end)} 到期`,
  stops[line],
]
const expired = ({ line, plan }: KindParams['plan_restream_expired']): TitleAndText => [
  `${plan} 套餐已到期`,
  stops[line],
]
const renewed = ({ line, plan, price }: KindParams['plan_restream_renewed']): TitleAndText => [
  `${lines[line]}：“${plan}”已续订`,
  `套餐已以 ${price} 续订。收据可在“账单 → 历史记录”中查看。`,
]
const namesOf = (all: readonly FailedChannel[]) =>
  list(
    all.map(({ name }) => name),
    (count) => `另外 ${count} 个`,
    '、',
  )
const codec = ({ codec: name, channel }: KindParams['broadcast_unsupported_codec']): TitleAndText => [
  `${plain(channel)} 不支持 ${plain(name)}`,
  '那里的观众可能看不到画面或听不到声音。请在编码器中更换编码格式。',
]
const bitrate = ({ words }: KindParams['broadcast_bitrate_exceeded']): TitleAndText => [
  '码率超出套餐上限',
  `${words}。请在编码器中降低码率，或选择上限更高的套餐。`,
]

export const cn: Texts = {
  kinds: {
    broadcast_started: () => ['直播已开始', '您的直播流正在播出。'],
    broadcast_stopped: () => ['直播已结束', '可在“直播记录”中查看数据和录像。'],
    broadcast_connecting_lost: () => ['编码器已断开', '服务器收不到直播流，请检查编码器和网络连接。'],
    start_channel_failed: ({ channels: all }) => {
      const failed = all.filter((one) => one.failed)
      const [first] = failed
      if (failed.length === 1 && first)
        return [`${plain(first.name)} 收不到直播流`, channelReason('cn', first.reason) || '服务器会继续重试。']
      return [`${failed.length} 个频道收不到直播流`, `${namesOf(failed)}。`]
    },
    start_channel_success: ({ channels: all }) =>
      all.length === 1
        ? [`${namesOf(all)} 已恢复直播`, '该频道正在接收直播流。']
        : ['所有频道已恢复直播', `${namesOf(all)}。`],
    channel_token_error: ({ platform, account }) => [
      `${platform}：请重新连接账号 ${plain(account)}`,
      '平台不再接受该账号。重新连接之前，其频道无法开播。',
    ],
    channel_api_update_chat_error: ({ platform, account }) => [
      `${platform}：无法读取聊天`,
      `请重新连接账号 ${plain(account)}，以便读取和发送聊天消息。`,
    ],
    stream_unhealthy: () => ['输入流不稳定', '视频帧延迟到达或丢失，请检查网络连接和编码器负载。'],
    broadcast_bitrate_exceeded: bitrate,
    broadcast_bitrate_exceeded_screen: bitrate,
    broadcast_not_audio: () => ['直播流没有声音', '请检查编码器的音频源。'],
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
      `${lines[line]}：“${plan}”即将续订`,
      `套餐将于 ${minute('cn', date_end)} 到期，并将从 ${minute('cn', next ?? date_end)} 起以 ${price} 自动续订。您可以关闭自动续订。`,
    ],
    plan_renewal_failed: ({ line, plan, price, date_end, next, reason }) => [
      next === null ? `${lines[line]}：“${plan}”即将到期` : `${lines[line]}：“${plan}”续订失败`,
      `以 ${price} 续订失败：${renewalReason('cn', reason)}。${next === null ? '不会再次尝试。' : `下次尝试时间：${minute('cn', next)}。`}套餐将于 ${minute('cn', date_end)} 到期。`,
    ],
    payment_failed: ({ amount }) => [`${amount} 付款失败`, '未扣款。请重试，或更换付款方式。'],
    storage_nearly_full: ({ percent }) => [
      `录像已占用 ${percent}% 的存储空间`,
      '空间用完后将停止录制。请删除录像或增加空间。',
    ],
    recordings_removal: ({ removing_at, files, size }) => [
      `录像将于 ${minute('cn', removing_at)} 删除`,
      `项目的录像已超出可用空间，届时将删除最早的录像：${files} 个文件，${gigabytes('cn', size)} GB。请在此之前下载这些录像、删除其他录像或增加空间。`,
    ],
    request_access_project: ({ project, from }) => [
      `邀请您加入项目“${plain(project)}”`,
      `${plain(from)} 邀请您加入该项目。`,
    ],
    request_access_channel: ({ project, channel }) => [
      `项目“${plain(project)}”与您共享频道“${plain(channel)}”`,
      '接受后即可在您的项目中使用该频道。',
    ],
    new_sign_in: ({ device, date }) => [
      '您的账号有新的登录',
      `${plain(device)}，${minute('cn', date)}。如果不是您本人，请将该会话退出登录，并更改密码。`,
    ],
    webhook_stopped: ({ host, reason }) => [
      `${host} 的 Webhook 已停用`,
      reason === 'secret'
        ? '服务器的主密钥已更改，Webhook 无法为消息签名。请更换 Webhook 密钥，然后重新启用 Webhook。'
        : '对方未接收消息。请检查其服务器，然后重新启用 Webhook。',
    ],
    channel_unreachable: ({ channel }) => [`${channels[channel]}未能送达`, '请在通知设置中检查该渠道。'],
    notification_test: () => ['测试通知', '通知会发送到这里。'],
  },
  more: (count) => `${count} 条通知`,
  accept: ['接受', '已接受'],
  decline: ['拒绝', '已拒绝'],
  open: '打开',
  settings: (url) => `通知设置：${url}`,
  telegram: {
    linked: (name) => `Relaydeck 账号 ${plain(name)} 的通知将发送到此处。发送 /stop 可停止接收。`,
    expired: () => '该链接已使用或已过期，请在通知设置中重新获取。',
    stopped: () => '此聊天不再接收通知。',
    unknown: () => '此聊天尚未连接，请打开通知设置中的链接。',
  },
}
