// Articles of the handbook that the dashboard links to: `<section>/<slug>` of `handbook/<language>/<section>/<slug>.md`.

/** Every article that `paths.help` may name. A test finds each of them in every language. */
export const articles = [
  'start/first-broadcast',
  'start/obs',
  'start/encoders',
  'start/srt-rtmp',
  'start/quality',
  'trouble/channel-failed',
  'trouble/connection-drops',
  'platforms/twitch',
  'platforms/youtube',
  'platforms/vk-ok',
  'platforms/kick-trovo',
  'platforms/telegram',
  'platforms/by-key',
  'platforms/custom',
  'chat/all-platforms',
  'chat/overlay',
  'chat/widgets',
  'chat/moderation',
  'chat/youtube-quota',
  'notifications/settings',
  'notifications/telegram-bot',
  'team/roles',
  'team/sharing',
  'team/second-factor',
  'plans/periods',
  'stream/pictures',
  'stream/from-the-browser',
  'stream/backup-encoder',
  'stream/recordings',
  'stream/transcoders',
  'stream/pull-keys',
  'server/operating',
  'server/api',
] as const

/** An article of the handbook: `<section>/<slug>`. */
export type Article = (typeof articles)[number]
