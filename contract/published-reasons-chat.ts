// Differences of operations of chats from the published list.

/** Callers are members, or have a key. */
const keyOrSession = {
  '+ parameter key?': 'left out: a signed-in member, so that the dashboard needs no key',
  '- parameter key': 'optional, see above',
}

const message = (at = '') => ({
  [`+ answer ${at}restreams[].state`]: 'the outcome at each platform',
  [`+ answer ${at}restreams[].retry_after`]: 'seconds that the platform named when it refused',
  [`+ answer ${at}sender.*`]: 'published as an object without fields',
  [`+ answer ${at}seq`]: 'position, for `before` and `after`',
  [`+ answer ${at}rev`]: 'number of the last change, for `chat/changes`',
  [`+ answer ${at}kind`]: 'donations, subscriptions and raids are messages too',
  [`+ answer ${at}paid*`]: 'what a paid message shows',
  [`+ answer ${at}reply_to*`]: 'the message that this one answers',
  [`+ answer ${at}hidden`]: 'members see messages that filters hide, with the reason',
  [`+ answer ${at}late`]: 'a message that was received after a gap',
  [`+ answer ${at}deleted`]: 'a deleted message keeps its place, without its text',
})

export const chatReasons = {
  'channels.telegram-chat.setTelegram': {
    '+ parameter select?=0|1|2': 'published as a number from 0 to 2',
    '- parameter select?': 'published as a number from 0 to 2',
  },
  'channels.telegram-chat.init': { '+ answer bot': 'the bot to add to the chat' },
  'channels.telegram-chat.postByFilter': {
    '+ parameter filter_mode=0|1|2|3': 'the choice that the settings have',
    '- parameter filter_mode': 'the choice that the settings have',
  },
  'chat.chat.messages': {
    ...keyOrSession,
    '+ parameter limit?': 'published without pages; a broadcast may have 100,000 messages',
    '+ parameter before?': 'older messages',
    '+ parameter after?': 'messages after the last known one, after a reconnect',
    '+ parameter q?': 'search',
    '+ parameter restream_id?': 'messages of one restream',
    '+ parameter hidden?': 'for members',
    '+ answer more': 'pages of large messages have fewer than `limit`',
    '+ answer rev': 'number of the last change that the page has',
    ...message('items[].'),
  },
  'chat.chat.send': {
    ...keyOrSession,
    '+ parameter restreams?': 'the earlier snapshot has no choice of restreams',
    '- parameter restreams': 'optional, see above',
    '+ parameter reply_to?': 'an answer to a message',
    ...message(),
  },
  'chat.chat.remove': {
    ...keyOrSession,
    '+ answer results*': 'not every platform can delete',
  },
  'chat.chat.message': { ...keyOrSession, ...message() },
}
