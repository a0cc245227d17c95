// Deviations of real responses from the published ones, with reasons. A deviation without an entry fails
// `server/app/http/published-answers.test.ts`, and so does an entry without a deviation.

const laterInvite = 'null until the invitation is accepted: one by e-mail or link names no project'
const running = 'null while the broadcast runs'
const noSample = 'null until the encoder has sent a second of media; 0 would be a figure'
const noUser = 'null where the service acts, or the action is about no channel'
const noProtocol = 'null where the server does not take it'
const noChannelData = 'nothing is known that could be in it'

const hexId = 'published as an object: the id of a text is made from its path, and is text as in the handbook'
const noIcon = 'texts have no icons'

const emptySlots = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}: null, not object`, 'null where there is no plan']))

/** Operation id, then deviation as `deviations` names it (a trailing `*` matches any value): reason. */
export const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'billing.transactions.list': { 'results[].user_id: null, not number': 'null where the service acts' },
  'billing.payments.get': { 'plan_period: null': 'a top-up has no period' },
  'broadcasts.broadcasts.list': { 'results[].finish_at: null, not date-time': running },
  'broadcasts.broadcasts.get': {
    'finish_at: null, not date-time': running,
    'bitrate: null, not number': noSample,
    'fps: null, not number': noSample,
    'width: null, not number': noSample,
    'height: null, not number': noSample,
  },
  'channels.invites.list': { 'results[].to_project_id: null, not number': laterInvite },
  'channels.invites.addByEmail': { 'to_project_id: null, not number': laterInvite },
  'channels.invites.get': { 'success: missing': 'published with the response of another operation' },
  'help.blog-pages.get': { 'results[]._id: string, not object': hexId },
  'help.blog-pages.list': { 'results[]._id: string, not object': hexId },
  'help.blog-tags.list': { 'results[]._id: string, not object': hexId },
  'ingest.pull-servers.list': {
    'results[].url.srt: null, not string': noProtocol,
    'results[].url.hls: null, not string': noProtocol,
  },
  'ingest.rtmp-servers.graph': {
    'countries[].cities[].chartData[]: null, not number': 'null where nothing was reported; 0 would be a figure',
  },
  'projects.projects.info': {
    'v: missing': 'an echo of the request that later versions dropped',
    'language: missing': 'an echo of the request that later versions dropped',
    ...Object.fromEntries(
      ['fps', 'index', 'plan_transcoding_id', 'resolution', 'space', 'type', 'weight'].map((field) => [
        `storage.data.${field}: missing`,
        'published with a transcoding plan; the second version of the client library corrects it',
      ]),
    ),
  },
  'projects.history.list': {
    'results[].action: *': 'the project, its plans and its keys are noted as well',
    'results[].group_id: null, not number': noUser,
    'results[].user_id: null, not number': noUser,
  },
  'tariffs.restream.slots': {
    'before: null, not object': 'the brief leaves open whether a slot may be absent; null where there is none',
    'next: null, not object': 'the brief leaves open whether a slot may be absent; null where there is none',
    'current.date_end: null, not date-time': 'the free plan has no end',
  },
  'tariffs.transcoding.slots': {
    ...emptySlots('before', 'next'),
    'current.date_end: null, not date-time': 'the free plan has no end',
  },
  'tariffs.storage.slots': emptySlots('before', 'current', 'next'),
  'tariffs.restream.offers': {
    'results[].own_tariff.current.date_end: null, not date-time': 'the free plan has no end',
  },
}

/** Operation id, then a list or an object of the published response that is empty in all real ones: reason. */
export const neverSent: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'broadcasts.broadcasts.viewers': {
    'data[]': 'empty until a platform reports viewers; the type is that of the bitrate graph',
    'labels[]': 'empty until a platform reports viewers; the type is that of the bitrate graph',
  },
  'broadcasts.live-status.get': { video: 'a file on air; none is served yet' },
  'channels.channels.get': { 'credentials[]': noChannelData, 'live_users[]': noChannelData },
  'channels.channels.search': { 'results[].credentials[]': noChannelData, 'results[].live_users[]': noChannelData },
  'channels.invites.addByEmail': { to_project_: 'left out: an invitation by e-mail names no project' },
  'help.blog-pages.get': { 'results[]._id.type': hexId },
  'help.blog-pages.list': { 'results[]._id.type': hexId },
  'help.blog-tags.list': { 'results[]._id.type': hexId },
  'help.articles.get': { 'result.icon': noIcon },
  'help.articles.search': { 'results[].icon': noIcon },
  'help.articles.structure': {
    'result[].icon': noIcon,
    'result[].connections[].icon': noIcon,
    'result[].connections[].connections[]': 'the handbook has two levels: sections and articles',
  },
  'channels.platforms.logout': { 'results[].subList[]': 'published with the response of another operation' },
}
