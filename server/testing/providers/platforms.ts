// The platforms that tests talk to, each with what its public documentation says about the calls that we make.
import { createHash } from 'node:crypto'
import { DoubleReply, type DoublePlatform, tokenAfter } from './double.ts'

/** developers.google.com/youtube/v3 and …/live/docs. */
export const youtubeDouble: DoublePlatform = {
  tokenOf: tokenAfter('Bearer'),
  unauthorized: new DoubleReply(401, { error: { code: 401, message: 'Invalid Credentials' } }),
  routes: {
    'GET www.googleapis.com/youtube/v3/channels': {
      query: ['part', 'mine'],
      answer: () => ({
        items: [
          {
            id: 'UC123',
            snippet: { title: 'Ann on air', thumbnails: { default: { url: 'https://yt.example/ann.jpg' } } },
            statistics: { subscriberCount: '42' },
          },
        ],
      }),
    },
    'GET www.googleapis.com/youtube/v3/liveStreams': {
      query: ['part', 'mine'],
      answer: () => ({ items: [] }),
    },
    'POST www.googleapis.com/youtube/v3/liveStreams': {
      query: ['part'],
      body: ['snippet', 'cdn'],
      answer: ({ body }) => ({
        id: 'stream-1',
        ...body,
        cdn: {
          ingestionInfo: {
            streamName: 'youtube-key',
            ingestionAddress: 'rtmp://a.rtmp.youtube.com/live2',
            rtmpsIngestionAddress: 'rtmps://a.rtmps.youtube.com/live2',
          },
        },
      }),
    },
    'GET www.googleapis.com/youtube/v3/liveBroadcasts': {
      query: ['part'],
      answer: ({ query }) => ({
        items: [
          {
            id: query.get('id') ?? 'planned-1',
            snippet: {
              title: 'Sunday show',
              description: 'Every week',
              scheduledStartTime: '2026-03-08T18:00:00Z',
            },
          },
        ],
      }),
    },
    'PUT www.googleapis.com/youtube/v3/liveBroadcasts': {
      query: ['part'],
      body: ['id', 'snippet'],
      answer: ({ body }) => {
        const { title, scheduledStartTime } = body['snippet'] as Record<string, string>
        if (title && scheduledStartTime) return body
        return new DoubleReply(400, { error: { code: 400, message: 'titleRequired or scheduledStartTimeRequired' } })
      },
    },
    'PUT www.googleapis.com/youtube/v3/videos': {
      query: ['part'],
      body: ['id', 'snippet'],
      answer: ({ body }) => body,
    },
    'GET www.googleapis.com/youtube/v3/videoCategories': {
      query: ['part', 'regionCode'],
      answer: () => ({
        items: [
          { id: '20', snippet: { title: 'Gaming', assignable: true } },
          { id: '18', snippet: { title: 'Short Movies', assignable: false } },
        ],
      }),
    },
    'GET www.googleapis.com/youtube/v3/playlists': {
      query: ['part', 'mine'],
      answer: () => ({ items: [{ id: 'PL1', snippet: { title: 'Shows' } }] }),
    },
    ...tokenRoutes('oauth2.googleapis.com/token', 'oauth2.googleapis.com/revoke'),
  },
}

/** dev.twitch.tv/docs/api/reference: every call names the application. */
export const twitchDouble: DoublePlatform = {
  tokenOf: (request, problems) => {
    if (request.headers['client-id'] !== 'twitch-id') problems.push('no Client-Id')
    return tokenAfter('Bearer')(request, problems)
  },
  unauthorized: new DoubleReply(401, { error: 'Unauthorized', status: 401, message: 'Invalid OAuth token' }),
  routes: {
    'GET api.twitch.tv/helix/users': {
      answer: () => ({ data: [{ id: '777', login: 'ann', display_name: 'Ann', profile_image_url: '' }] }),
    },
    'GET api.twitch.tv/helix/streams/key': {
      query: ['broadcaster_id'],
      answer: () => ({ data: [{ stream_key: 'twitch-key' }] }),
    },
    'GET api.twitch.tv/helix/search/categories': {
      query: ['query'],
      answer: () => ({
        data: [{ id: '509658', name: 'Just Chatting', box_art_url: 'https://tw.example/{width}.jpg' }],
      }),
    },
    'GET api.twitch.tv/helix/games/top': { answer: () => ({ data: [] }) },
    'PATCH api.twitch.tv/helix/channels': {
      query: ['broadcaster_id'],
      body: ['title'],
      answer: () => new DoubleReply(204, undefined),
    },
    ...tokenRoutes('id.twitch.tv/oauth2/token', 'id.twitch.tv/oauth2/revoke', { scope: ['channel:read:stream_key'] }),
  },
}

/** developer.trovo.live/docs/APIs.html. */
export const trovoDouble: DoublePlatform = {
  tokenOf: (request, problems) => {
    if (request.headers['client-id'] !== 'trovo-id') problems.push('no Client-ID')
    return tokenAfter('OAuth')(request, problems)
  },
  unauthorized: new DoubleReply(401, { status: 11704, error: 'invalid token', message: 'invalid access token' }),
  routes: {
    'GET open-api.trovo.live/openplatform/getuserinfo': {
      answer: () => ({ userId: '1', userName: 'ann', nickName: 'Ann', email: '', profilePic: '', channelId: '100' }),
    },
    'GET open-api.trovo.live/openplatform/channel': {
      answer: () => ({ uid: '1', channel_id: '100', stream_key: 'trovo-key', live_title: '' }),
    },
    'POST open-api.trovo.live/openplatform/searchcategory': {
      body: ['query'],
      answer: () => ({ category_info: [{ id: '10023', name: 'ChitChat', icon_url: '' }] }),
    },
    'GET open-api.trovo.live/openplatform/categorys/top': { answer: () => ({ category_info: [] }) },
    'POST open-api.trovo.live/openplatform/channels/update': { body: ['channel_id'], answer: () => ({ empty: '' }) },
    ...trovoTokens(),
  },
}

/** dev.live.vkvideo.ru/docs. */
export const vkVideoLiveDouble: DoublePlatform = {
  tokenOf: tokenAfter('Bearer'),
  unauthorized: new DoubleReply(401, { error: 'unauthorized', error_description: 'Not authorized' }),
  routes: {
    'GET apidev.live.vkvideo.ru/v1/current_user': {
      answer: () => ({ data: { user: { id: 5, nick: 'Ann', avatar_url: '' }, channel: { url: 'ann' } } }),
    },
    'GET apidev.live.vkvideo.ru/v1/channel/credentials': {
      query: ['channel_url'],
      answer: () => ({ data: { url: 'rtmp://vp-push.example.com/input', token: 'vkvl-key' } }),
    },
    'GET apidev.live.vkvideo.ru/v1/category/search': {
      query: ['query', 'type'],
      answer: ({ query }) => ({
        data: { categories: [{ id: `${query.get('type')}-1`, title: 'Chess', type: 'game', cover_url: '' }] },
      }),
    },
    'POST apidev.live.vkvideo.ru/v1/channel/stream/edit': {
      query: ['channel_url'],
      body: ['stream'],
      answer: () => ({}),
    },
    ...tokenRoutes('api.live.vkvideo.ru/oauth/server/token', 'api.live.vkvideo.ru/oauth/server/revoke', {}, true),
  },
}

/** dev.vk.com/method, version 5.199: refusals come with a 200. */
export const vkDouble: DoublePlatform = {
  tokenOf: (request, problems) => {
    if (request.body['v'] !== '5.199') problems.push('no version')
    return tokenAfter('Bearer')(request, problems)
  },
  unauthorized: new DoubleReply(200, { error: { error_code: 5, error_msg: 'User authorization failed' } }),
  routes: {
    'POST api.vk.com/method/users.get': {
      type: 'form',
      answer: () => ({ response: [{ id: 9, first_name: 'Ann', last_name: 'Example', photo_100: '' }] }),
    },
    'POST api.vk.com/method/groups.get': {
      type: 'form',
      body: ['extended', 'filter', 'fields'],
      answer: () => ({
        response: { count: 1, items: [{ id: 321, name: 'Chess club', photo_100: '', members_count: 12 }] },
      }),
    },
    'POST api.vk.com/method/video.liveGetCategories': {
      type: 'form',
      answer: () => ({ response: [{ id: 1, label: 'Games', sublist: [{ id: 2, label: 'Chess' }] }] }),
    },
    'POST api.vk.com/method/video.getAlbums': {
      type: 'form',
      body: ['owner_id'],
      answer: () => ({ response: { count: 1, items: [{ id: 3, owner_id: -321, title: 'Shows' }] } }),
    },
    'POST api.vk.com/method/video.get': {
      type: 'form',
      body: ['owner_id'],
      answer: () => ({
        response: {
          items: [
            { id: 4, title: 'Final', description: '', live_status: 'upcoming', live_start_time: 1_772_960_400 },
            { id: 5, title: 'Old', description: '' },
          ],
        },
      }),
    },
    'POST api.vk.com/method/video.startStreaming': {
      type: 'form',
      answer: () => ({
        response: { owner_id: -321, video_id: 8, stream: { url: 'rtmp://ovsu.okcdn.ru/input', key: 'vk-key' } },
      }),
    },
    'POST oauth.vk.com/access_token': {
      type: 'form',
      open: true,
      body: ['client_id', 'client_secret', 'redirect_uri', 'code'],
      answer: ({ body }) =>
        body['code'] === 'community'
          ? { groups: [{ group_id: 321, access_token: 'community-token' }], expires_in: 0 }
          : { access_token: 'access-1', expires_in: 0, user_id: 9 },
    },
  },
}

/** apiok.ru/en/dev/methods: every call is signed. */
export const okDouble: DoublePlatform = {
  tokenOf: ({ body }, problems) => {
    const { sig, access_token: token, ...signed } = body as Record<string, string>
    const key = md5(`${token}ok-secret`)
    const text = Object.keys(signed)
      .toSorted()
      .map((name) => `${name}=${signed[name]}`)
      .join('')
    if (sig !== md5(text + key)) problems.push('the signature is wrong')
    if (signed['application_key'] !== 'ok-public') problems.push('no application_key')
    return token ?? ''
  },
  unauthorized: new DoubleReply(200, { error_code: 102, error_msg: 'PARAM_SESSION_EXPIRED : Session expired' }),
  routes: {
    'POST api.ok.ru/fb.do': {
      type: 'form',
      body: ['method', 'application_key', 'sig', 'access_token'],
      answer: ({ body }) => okAnswers[String(body['method'])] ?? { error_code: 3, error_msg: 'METHOD' },
    },
    ...tokenRoutes('api.ok.ru/oauth/token.do', '', { token_type: 'session', expires_in: '1800' }),
  },
}

const okAnswers: Readonly<Record<string, unknown>> = {
  'users.getCurrentUser': { uid: '55', name: 'Ann Example', pic128x128: '' },
  'group.getUserGroupsV2': {
    groups: [
      { groupId: '66', status: 'ADMIN' },
      { groupId: '67', status: 'ACTIVE' },
    ],
  },
  'group.getInfo': [{ uid: '66', name: 'Chess', picAvatar: '', members_count: 3 }],
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Tokens as most give them: `access-2` for `refresh-1`, and so on; each refresh token once. */
function tokenRoutes(
  token: string,
  revoke: string,
  more: object = {},
  basic = false,
): Record<string, DoublePlatform['routes'][string]> {
  return {
    [`POST ${token}`]: {
      type: 'form',
      open: true,
      body: ['grant_type', ...(basic ? ['redirect_uri'] : ['client_id', 'client_secret'])],
      answer: ({ body, headers, used }) => {
        const known = basic ? headers.authorization?.startsWith('Basic ') : body['client_secret'] !== ''
        const turn = body['grant_type'] === 'refresh_token' ? Number(String(body['refresh_token']).split('-')[1]) : 0
        if (!known || Number.isNaN(turn) || (turn > 0 && used.has(turn))) {
          return new DoubleReply(400, { error: 'invalid_grant', status: 400, message: 'Invalid refresh token' })
        }
        used.add(turn)
        return pairOf(turn + 1, more)
      },
    },
    ...(revoke === ''
      ? {}
      : { [`POST ${revoke}`]: { type: 'form', open: true, body: ['token'], answer: () => ({}) } as const }),
  }
}

const pairOf = (turn: number, more: object) => ({
  access_token: `access-${turn}`,
  refresh_token: `refresh-${turn}`,
  expires_in: 3600,
  token_type: 'bearer',
  ...more,
})

/** JSON in, the client in a header, another address for each grant. */
function trovoTokens(): Record<string, DoublePlatform['routes'][string]> {
  const base = 'POST open-api.trovo.live/openplatform'
  const answer = (turn: number) => ({ ...pairOf(turn, {}), token_type: 'OAuth' })
  return {
    [`${base}/exchangetoken`]: {
      open: true,
      body: ['client_secret', 'grant_type', 'code', 'redirect_uri'],
      answer: ({ headers }) => (headers['client-id'] === 'trovo-id' ? answer(1) : new DoubleReply(400, {})),
    },
    [`${base}/refreshtoken`]: {
      open: true,
      body: ['client_secret', 'grant_type', 'refresh_token'],
      answer: () => answer(2),
    },
    [`${base}/revoke`]: { open: true, body: ['access_token'], answer: () => ({}) },
  }
}
