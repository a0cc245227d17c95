// Test doubles of YouTube, Twitch and Trovo, after their public documentation of the operations that the service calls.
import { type DoublePlatform, DoubleReply, tokenAfter } from './double.ts'
import { tokenRoutes, trovoTokens } from './tokens.ts'

const badRequest = (message: string) => new DoubleReply(400, { error: { code: 400, message } })

/** An update of `contentDetails` needs the monitor stream, and takes no read-only properties. */
function detailsAnswer(body: Readonly<Record<string, unknown>>): unknown {
  const { monitorStream, boundStreamId } = body['contentDetails'] as Record<string, Record<string, unknown> | undefined>
  if (typeof monitorStream?.['enableMonitorStream'] !== 'boolean') return badRequest('enableMonitorStreamRequired')
  return boundStreamId === undefined && monitorStream['embedHtml'] === undefined ? body : badRequest('invalidValue')
}

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
            ...(query.get('part')?.includes('contentDetails') && {
              contentDetails: {
                boundStreamId: 'stream-1',
                monitorStream: { enableMonitorStream: true, broadcastStreamDelayMs: 0, embedHtml: '<iframe>' },
                enableAutoStart: true,
                enableAutoStop: true,
                enableDvr: true,
                latencyPreference: 'normal',
              },
              status: { lifeCycleStatus: 'ready', privacyStatus: 'public' },
            }),
          },
        ],
      }),
    },
    'PUT www.googleapis.com/youtube/v3/liveBroadcasts': {
      query: ['part'],
      body: ['id', 'snippet'],
      answer: ({ body, query }) => {
        const { title, scheduledStartTime } = body['snippet'] as Record<string, string>
        if (!title || !scheduledStartTime) return badRequest('titleRequired or scheduledStartTimeRequired')
        return query.get('part')?.includes('contentDetails') ? detailsAnswer(body) : body
      },
    },
    'GET www.googleapis.com/youtube/v3/videos': {
      query: ['part', 'id'],
      answer: ({ query }) => ({
        items: [
          query.get('part') === 'snippet,status'
            ? { id: 'planned-1', snippet: { title: 'Sunday show', categoryId: '22' }, status: { embeddable: true } }
            : { id: 'planned-1', liveStreamingDetails: { concurrentViewers: '21' } },
        ],
      }),
    },
    'PUT www.googleapis.com/youtube/v3/videos': {
      query: ['part'],
      body: ['id', 'snippet'],
      answer: ({ body }) => {
        const { title, categoryId } = body['snippet'] as Record<string, string>
        return title && categoryId ? body : badRequest('invalidTitle or invalidCategoryId')
      },
    },
    'GET www.googleapis.com/youtube/v3/playlistItems': {
      query: ['part', 'playlistId', 'videoId'],
      answer: ({ query }) => ({ items: query.get('playlistId') === 'has-it' ? [{ id: 'item-1' }] : [] }),
    },
    'POST www.googleapis.com/youtube/v3/playlistItems': {
      query: ['part'],
      body: ['snippet'],
      answer: () => ({ id: 'item-2' }),
    },
    'POST www.googleapis.com/upload/youtube/v3/thumbnails/set': {
      query: ['videoId'],
      type: 'image',
      answer: () => ({ items: [] }),
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

/** dev.twitch.tv/docs/api/reference: every request has the client id. */
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
    'GET api.twitch.tv/helix/streams': {
      query: ['user_id'],
      answer: () => ({ data: [{ id: '1', user_id: '777', type: 'live', viewer_count: 13 }] }),
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
    'POST open-api.trovo.live/openplatform/channels/id': {
      body: ['channel_id'],
      answer: () => ({ is_live: true, live_title: '', current_viewers: 5, followers: 1 }),
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
