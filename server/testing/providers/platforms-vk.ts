// Test doubles of VK Video Live, VK and OK, after their public documentation of the operations that the service calls.
import { createHash } from 'node:crypto'
import { type DoublePlatform, DoubleReply, tokenAfter } from './double.ts'
import { tokenRoutes } from './tokens.ts'

/** dev.live.vkvideo.ru/docs. */
export const vkVideoLiveDouble: DoublePlatform = {
  tokenOf: tokenAfter('Bearer'),
  unauthorized: new DoubleReply(401, { error: 'unauthorized', error_description: 'Not authorized' }),
  routes: {
    'GET apidev.live.vkvideo.ru/v1/current_user': {
      answer: () => ({ data: { user: { id: 5, nick: 'Ann', avatar_url: '' }, channel: { url: 'ann' } } }),
    },
    'GET apidev.live.vkvideo.ru/v1/channel': {
      query: ['channel_url'],
      answer: () => ({ data: { channel: { id: 1, url: 'ann' }, stream: { id: 's', counters: { viewers: 3 } } } }),
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

/** dev.vk.com/method, version 5.199: refusals have status 200. */
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
            {
              id: 4,
              title: 'Final',
              description: '',
              live_status: 'upcoming',
              live_start_time: 1_772_960_400,
              spectators: 8,
            },
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
    'POST api.vk.com/method/video.stopStreaming': {
      type: 'form',
      body: ['video_id'],
      answer: () => ({ response: { unique_viewers: 9 } }),
    },
    'POST api.vk.com/method/video.addToAlbum': {
      type: 'form',
      body: ['target_id', 'album_id', 'owner_id', 'video_id'],
      answer: () => ({ response: 1 }),
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
