// The platforms: their abilities and ingest addresses. A platform that assigns an address to each user has `ownUrl` and no
// address here.
import type { Platform, PlatformType } from '#contract/entities/channel.ts'

const flags = [
  'is_adding',
  'oauth',
  'read_chat',
  'write_chat',
  'edit_name',
  'set_title',
  'set_description',
  'created_stream',
  'rtmp_url',
  'rtmp_key',
  'planned',
  'options',
  'url_stream',
  'viewers',
  'messages',
  'like',
] as const
type Capability = (typeof flags)[number]

interface Row {
  /** 1 VK, 2 Twitch and 4 YouTube are published; the others are decided. */
  readonly id: number
  readonly title: string
  readonly url: string
  readonly can: readonly Capability[]
  readonly ingests?: readonly (readonly [title: string, url: string])[]
  readonly ownUrl?: true
  readonly keyUrl?: string
}

/** Of platforms whose channels are added by address and key. */
const byKey = ['is_adding', 'edit_name', 'rtmp_url', 'rtmp_key'] as const
/** Of platforms that accounts can be connected of. */
const byAccount = [...byKey, 'oauth', 'set_title', 'created_stream', 'options', 'url_stream'] as const
/** Of platforms that closed, or accept no new streams: existing channels stay. SRT is not offered: `canReceive`. */
const gone = ['edit_name', 'rtmp_url', 'rtmp_key'] as const

const rows: Readonly<Record<PlatformType, Row>> = {
  youtube: {
    id: 4,
    title: 'YouTube',
    url: 'https://www.youtube.com',
    can: [...byAccount, 'set_description', 'planned', 'read_chat', 'write_chat', 'viewers', 'messages', 'like'],
    ingests: [
      ['RTMPS', 'rtmps://a.rtmps.youtube.com:443/live2'],
      ['RTMPS, backup', 'rtmps://b.rtmps.youtube.com:443/live2?backup=1'],
      ['RTMP', 'rtmp://a.rtmp.youtube.com/live2'],
      ['RTMP, backup', 'rtmp://b.rtmp.youtube.com/live2?backup=1'],
    ],
    keyUrl: 'https://www.youtube.com/live_dashboard',
  },
  twitch: {
    id: 2,
    title: 'Twitch',
    url: 'https://www.twitch.tv',
    can: [...byAccount, 'read_chat', 'write_chat', 'viewers', 'messages'],
    ingests: [
      ['RTMP, nearest server', 'rtmp://live.twitch.tv/app'],
      ['RTMPS, nearest server', 'rtmps://live.twitch.tv:443/app'],
    ],
    keyUrl: 'https://dashboard.twitch.tv/settings/stream',
  },
  vk: {
    id: 1,
    title: 'VK Video',
    url: 'https://vkvideo.ru',
    can: [...byAccount, 'set_description', 'planned', 'read_chat', 'write_chat', 'viewers', 'messages', 'like'],
    ingests: [['RTMP', 'rtmp://ovsu.okcdn.ru/input']],
  },
  vkvideolive: {
    id: 3,
    title: 'VK Video Live',
    url: 'https://live.vkvideo.ru',
    can: [...byAccount, 'read_chat', 'write_chat', 'viewers', 'messages'],
    ownUrl: true,
  },
  ok: {
    id: 5,
    title: 'OK',
    url: 'https://ok.ru',
    can: [...byAccount, 'set_description', 'viewers', 'messages', 'like'],
    ownUrl: true,
  },
  trovo: {
    id: 6,
    title: 'Trovo',
    url: 'https://trovo.live',
    can: [...byAccount, 'read_chat', 'write_chat', 'viewers', 'messages'],
    ingests: [['RTMP', 'rtmp://livepush.trovo.live/live']],
    keyUrl: 'https://studio.trovo.live',
  },
  kick: {
    id: 7,
    title: 'Kick',
    url: 'https://kick.com',
    can: [...byKey, 'url_stream', 'oauth', 'read_chat', 'write_chat', 'viewers', 'messages'],
    ingests: [['RTMPS', 'rtmps://fa723fc1b171.global-contribute.live-video.net:443/app']],
    keyUrl: 'https://kick.com/settings/stream',
  },
  rutube: { id: 8, title: 'Rutube', url: 'https://rutube.ru', can: [...byKey, 'url_stream'], ownUrl: true },
  telegram: {
    id: 9,
    title: 'Telegram',
    url: 'https://telegram.org',
    can: [...byKey, 'read_chat', 'write_chat'],
    ownUrl: true,
  },
  fb: {
    id: 10,
    title: 'Facebook',
    url: 'https://www.facebook.com',
    can: byKey,
    ingests: [['RTMPS', 'rtmps://live-api-s.facebook.com:443/rtmp']],
    keyUrl: 'https://www.facebook.com/live/producer',
  },
  instagram: {
    id: 11,
    title: 'Instagram',
    url: 'https://www.instagram.com',
    can: byKey,
    ingests: [['RTMPS', 'rtmps://live-upload.instagram.com:443/rtmp']],
    keyUrl: 'https://www.instagram.com',
  },
  tiktok: { id: 12, title: 'TikTok', url: 'https://www.tiktok.com', can: byKey, ownUrl: true },
  steam: {
    id: 13,
    title: 'Steam',
    url: 'https://store.steampowered.com',
    can: byKey,
    ingests: [['RTMP, nearest server', 'rtmp://ingest-rtmp.broadcast.steamcontent.com/app']],
  },
  linkedin: { id: 14, title: 'LinkedIn', url: 'https://www.linkedin.com', can: byKey, ownUrl: true },
  goodgame: {
    id: 15,
    title: 'GoodGame',
    url: 'https://goodgame.ru',
    can: byKey,
    ingests: [['RTMP, Moscow', 'rtmp://msk.goodgame.ru:1940/live']],
  },
  boosty: { id: 16, title: 'Boosty', url: 'https://boosty.to', can: byKey, ownUrl: true },
  plvideo: { id: 17, title: 'Platforma', url: 'https://plvideo.ru', can: byKey, ownUrl: true },
  nimotv: {
    id: 18,
    title: 'Nimo TV',
    url: 'https://www.nimo.tv',
    can: byKey,
    ingests: [['RTMP', 'rtmp://txpush.rtmp.nimo.tv/live']],
  },
  navertv: { id: 19, title: 'Naver TV', url: 'https://tv.naver.com', can: byKey, ownUrl: true },
  douyu: { id: 20, title: 'Douyu', url: 'https://www.douyu.com', can: byKey, ownUrl: true },
  huya: { id: 21, title: 'Huya', url: 'https://www.huya.com', can: byKey, ownUrl: true },
  fc2Live: { id: 22, title: 'FC2 Live', url: 'https://live.fc2.com', can: byKey, ownUrl: true },
  kinescope: { id: 23, title: 'Kinescope', url: 'https://kinescope.com', can: byKey, ownUrl: true },
  getcourse: { id: 24, title: 'GetCourse', url: 'https://getcourse.ru', can: byKey, ownUrl: true },
  bizon: { id: 25, title: 'Bizon 365', url: 'https://bizon365.ru', can: byKey, ownUrl: true },
  tachid: { id: 26, title: 'Tachid', url: '', can: byKey, ownUrl: true },
  nonolive: { id: 27, title: 'Nonolive', url: '', can: gone, ownUrl: true },
  vlive: { id: 28, title: 'V Live', url: '', can: gone, ownUrl: true },
  zhanqitv: { id: 29, title: 'Zhanqi TV', url: '', can: gone, ownUrl: true },
  custom: { id: 30, title: 'RTMP', url: '', can: byKey, ownUrl: true },
  srt: { id: 31, title: 'SRT', url: '', can: ['edit_name', 'rtmp_url'], ownUrl: true },
}

type Facts = Omit<Platform, 'hosts' | 'oauth_ready' | 'bot_ready'>

const present = (type: PlatformType, row: Row): Facts => ({
  id: row.id,
  type,
  title: row.title,
  url: row.url,
  extension: 'svg',
  ...(Object.fromEntries(flags.map((flag) => [flag, row.can.includes(flag) ? 1 : 0])) as Record<Capability, 0 | 1>),
  ingests: (row.ingests ?? []).map(([title, url]) => ({ title, url })),
  own_url: row.ownUrl ? 1 : 0,
  key_url: row.keyUrl ?? '',
})

const platforms = new Map(
  Object.entries(rows).map(([type, row]) => [type, present(type as PlatformType, row)] as const),
)

/** Returns every platform, in the order of the pages. */
export const listPlatforms = (): readonly Facts[] => [...platforms.values()]

/** Returns the properties of a platform. */
export function getPlatform(type: PlatformType): Facts {
  const platform = platforms.get(type)
  if (!platform) throw new Error(`There is no platform ${type}`)
  return platform
}
