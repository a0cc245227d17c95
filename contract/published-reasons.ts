// Differences of operations from the published list. `published.test.ts` fails for a difference without a reason here.
import { chatReasons } from './published-reasons-chat.ts'
import { helpReasons } from './published-reasons-help.ts'
import { lineReasons } from './published-reasons-lines.ts'
import { notificationReasons } from './published-reasons-notifications.ts'
import { platformReasons } from './published-reasons-platforms.ts'
import { moneyReasons } from './published-reasons-money.ts'

const oauthCallback = {
  '+ parameter state?': 'a provider that failed may come back without it, and then gets a clear refusal',
  '+ parameter code?': 'what the provider adds when it agreed',
  '+ parameter error?': 'what the provider adds when it refused',
  '+ parameter iss?': 'what a provider adds so that its answer cannot be taken for that of another one',
  '+ parameter device_id?': 'what VK ID adds',
  '+ answer location': 'the answer is a redirect; the published body belongs to no redirect',
  '- answer success': 'the answer is a redirect; the published body belongs to no redirect',
}

/** Redirect parameters of providers. */
const otherAnswer = (theirs: string) => ({
  '+ answer *': 'published with the answer of another operation',
  [`- answer ${theirs}`]: 'published with the answer of another operation',
})

/** `access_type` without the value that is published twice. */
const accessOnce = {
  '+ parameter access_type=0|1|2': 'published with one value twice',
  '- parameter access_type=0|1|1|2': 'published with one value twice',
}
const inviteItem = (at = '') => ({ [`+ answer ${at}date_expire`]: 'an invitation is good for a week' })
const newLink = { '+ answer url': 'to hand over where no e-mail is sent', '+ answer mail': 'whether it was sent' }
const receivedInvite = {
  ...inviteItem(),
  '+ answer channel_.type': 'what one is invited to',
  '+ answer from_project_*': 'the inviter',
}

/** Fields beyond the published channel, in all responses with a channel. */
const channelItem = (at = '') => ({
  [`+ answer ${at}streamInfo.*`]: 'one shape with the fields of all platforms, published as a choice of shapes',
  [`+ answer ${at}ingress_*`]: 'published later (2.0 of the client library)',
  [`+ answer ${at}stream_key`]: 'published later (2.0 of the client library); masked where it must not be seen',
  [`+ answer ${at}access_type`]: 'what the caller may do with it, so that a page need not work it out',
  [`+ answer ${at}account*`]: 'the account of the channel',
  [`+ answer ${at}tracks*`]: 'the tracks that the project chose for it',
  [`+ answer ${at}silence`]: 'whether it receives silence from encoders without sound',
  [`+ answer ${at}ladder`]: 'whether it may receive a smaller picture of the encoder',
  [`+ answer ${at}healing*`]: 'whether a new broadcast is made at the platform',
  [`+ answer ${at}channel_url`]: 'what it was added with has to be readable',
  [`+ answer ${at}test*`]: 'an untested channel is not ready',
})

/** Fields of a media file beyond the published ones. */
const filmItem = (at = '') => ({
  [`+ answer ${at}kind`]: 'pictures and films are one list',
  [`+ answer ${at}width`]: 'a page shows the shape of a film',
  [`+ answer ${at}height`]: 'a page shows the shape of a film',
  [`+ answer ${at}step`]: 'uploading, waiting and preparing are different waits',
  [`+ answer ${at}done`]: 'progress without the realtime channel',
  [`+ answer ${at}servers`]: 'which servers have room for a film',
})

/** Fields of the earlier snapshot in addition to those of the later one. */
const earlierRestream = {
  '+ answer results[].restream_id': 'the earlier snapshot has it',
  '+ answer results[].name': 'the earlier snapshot has it',
  '+ answer results[].image': 'the earlier snapshot has it',
  '+ answer results[].platform': 'the earlier snapshot has it',
  '+ answer results[].viewers': 'the earlier snapshot has it',
}

/** Operation id, then difference (a trailing `*` matches the rest of a name): reason. */
export const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'account.auth.redirectUrl': {
    '+ parameter provider=local|google|vk|vk-id|telegram': 'accounts of this service are a provider as well',
    '- parameter provider=google|vk|vk-id|telegram': 'accounts of this service are a provider as well',
    '+ parameter state?': 'binds the one-time code to the browser that began',
  },
  'account.auth.exchange': { '+ parameter state?': 'binds the one-time code to the browser that began' },
  'account.auth.connect': {
    '+ parameter provider=local|google|vk|vk-id|telegram': 'accounts of this service are a provider as well',
    '- parameter provider=google|vk|vk-id|telegram': 'accounts of this service are a provider as well',
  },
  'account.auth.connectTelegram': {
    '+ parameter message?': 'for clients of another origin, which have no cookie of this one',
  },
  'account.auth.authTelegram': {
    '+ parameter state?': 'binds the one-time code to the browser that began',
    '+ answer location': 'the answer is a redirect; the published body belongs to no redirect',
    '- answer success': 'the answer is a redirect; the published body belongs to no redirect',
  },
  'account.auth.callbackVk': oauthCallback,
  'account.auth.callbackVkId': { ...oauthCallback, '- parameter state': 'optional, see above' },
  'account.auth.callbackGoogle': { ...oauthCallback, '- parameter state': 'optional, see above' },
  'billing.money-flow.list': {
    '+ answer results[].title': 'the purpose of movements without a period, which `details` cannot hold',
    '+ answer results[].balance_type':
      'which of the three balances changed, which the published filter knows, or the debt',
    '+ answer results[].transaction_id': 'the transaction that the row belongs to',
    '+ answer results[].pay*': 'the payment or payout that the row belongs to',
    '+ answer results[].user_*': 'the acting user',
  },
  'billing.transactions.list': {
    '+ answer results[].code.*': 'published as an object without fields',
  },
  'broadcasts.broadcasts.get': {
    '+ answer away': 'seconds without an encoder, which are no time on air',
    '+ answer restreams[].date_live': 'the reason of a channel that was never live, or lost at the end',
    '+ answer restreams[].words': 'the reason of a channel that was never live, or lost at the end',
    '+ answer restreams[].channel_id': 'published later (2.0 of the client library)',
    '+ answer restreams[].state': 'how it ended, which is what people look for',
    '+ answer restreams[].re*': 'how it went',
    '+ answer restreams[].bytes': 'how it went',
  },
  'broadcasts.broadcasts.events': {
    '+ parameter offset?': 'published later, with v 4',
    '+ parameter limit?': 'published later, with v 4',
    '+ parameter sort_by_date?=asc|desc': 'published later, with v 4',
    '+ parameter cursor_*': 'published later, with v 4',
    '- parameter app?': 'the published choice of the answer',
    '+ parameter app?=live|scheduler|transcoder': 'the published choice of the answer',
    '+ answer results[].*': 'published later, with v 4; kind, reason and words let a page say it in its language',
    '+ answer limit': 'published later, with v 4',
    '+ answer offset': 'published later, with v 4',
    '+ answer total': 'published later, with v 4',
    '+ answer sort_by_date': 'published later, with v 4',
    '+ answer next_cursor_*': 'published later, with v 4',
    'v 4, not 3': 'published later',
  },
  'broadcasts.broadcasts.list': {
    '+ parameter date_*': 'a history of years is looked for by time',
    '+ parameter platform?': 'and by where it went',
    '+ answer results[].away': 'seconds without an encoder, which are no time on air',
    '+ answer results[].recordings': 'whether there is something to fetch',
    '+ answer results[].restreams[].date_live': 'distinguishes a channel that never went live from one that stopped',
  },
  'broadcasts.broadcasts.longpoll': {
    '+ parameter wait?': 'a client behind a proxy with short patience asks for less',
    '+ answer connection_token': 'Centrifugo refuses a connection whose token names a channel',
  },
  'broadcasts.broadcasts.viewers': { '+ answer setting.*': 'what is in `setting` is not published' },
  'broadcasts.broadcasts.restreams': {
    '+ parameter project_id?': 'the earlier snapshot has no project',
    '- parameter project_id': 'the earlier snapshot has no project',
    '+ parameter key?': 'the earlier snapshot has it, for overlays',
    ...earlierRestream,
  },
  'broadcasts.live.restreams': earlierRestream,
  'broadcasts.live-status.get': {
    '+ parameter project_id?': 'published without parameters, for keys of one project; a session has several',
  },
  'analytics.analytics.events': {
    '+ parameter *': 'the filters and pages of `broadcast/events`',
  },
  'broadcasts.broadcasts.bitrate': {
    '+ answer setting.*': 'what is in `setting` is not published',
  },
  'channels.access.change': accessOnce,
  'channels.invites.list': inviteItem('results[].'),
  'channels.invites.get': otherAnswer('success'),
  'channels.invites.addById': { ...accessOnce, ...inviteItem() },
  'channels.invites.addByEmail': { ...accessOnce, ...inviteItem(), ...newLink },
  'channels.invites.getForProject': receivedInvite,
  'channels.invites.getForSecret': receivedInvite,
  'channels.channels.search': channelItem('results[].'),
  'channels.channels.get': channelItem(),
  'channels.channels.setStatus': {
    '+ parameter project_id?': 'a channel may be in several projects, and each switches it for itself',
  },
  'channels.channels.setDelay': { '+ parameter delay?': 'the published operation does not say what to set' },
  'channels.settings.bulkUpdate': {
    '+ parameter description?': 'a title alone keeps the descriptions, as in the dock of OBS',
    '- parameter description': 'a title alone keeps the descriptions, as in the dock of OBS',
  },
  'channels.settings.setRtmp': { '+ parameter stream_key?': 'a new address often has a new key' },
  'channels.planned.get': { '+ answer selected': 'which of them was chosen' },
  ...platformReasons,
  'media.files.list': filmItem('results[].'),
  'media.files.get': filmItem(),
  'media.files.add': {
    '+ parameter name?': 'a film has a name before its file is chosen',
    '+ answer media_id': 'the published answer names nothing to continue with',
  },
  'media.files.session': {
    '+ parameter project_id?': 'published later (2.0 of the client library)',
    '+ answer upload_url': 'no source says where the file goes',
    '+ answer ticket': 'permission for the upload alone',
    '+ answer space': 'a page says what fits before it is sent',
    '+ answer expires_at': 'of the ticket',
  },
  'ingest.stream-keys.get': {
    '+ answer hold': 'whether a stream that its encoder ended is held',
    '+ answer masked': 'the key is hidden from a viewer',
    '+ answer quality*': 'the rule by which a poor encoder gives way to the backup',
    '+ answer wait_max_minutes': 'of later versions: the longest wait of the plan',
  },
  'ingest.rtmp-servers.list': {
    '+ answer results[].urls.rtmps*': 'nodes with a certificate take RTMPS',
    '+ answer results[].silent': 'a server that does not report takes no encoder',
    '+ answer results[].full': 'a full server takes no new encoder',
    '+ answer results[].ffmpeg': 'stills, MP4, transcoders, HLS and SRT need ffmpeg',
    '+ answer results[].bonding': 'bonded encoders need one process behind the SRT port',
    '+ answer reason': 'why the list is empty',
    '+ answer ports*': 'the ports of a relay whose port another program uses',
    '+ answer results[].id': 'the third version has it',
    '+ answer results[].pool_id': 'the third version has it',
    '+ answer results[].options*': 'the third version has it',
    '+ answer results[].url': 'the first version has it',
  },
  'ingest.rtmp-servers.state': {
    '+ answer reason': 'why the list is empty',
    '+ answer ports*': 'the ports of a relay whose port another program uses',
  },
  'ingest.pull-servers.list': {
    '+ answer reason': 'why the list is empty',
    '+ answer ports*': 'the ports of a relay whose port another program uses',
    '+ answer results[].targetKey': 'later versions have it',
  },
  'ingest.pull-keys.list': {
    '+ answer limit': 'how many keys the plan gives',
    '+ answer masked': 'the keys are hidden from a viewer',
    '+ answer results[].region': 'what update has set',
    '+ answer results[].viewers': 'how much it is used',
    '+ answer results[].bitrate': 'how much it is used',
  },
  'ingest.pull-keys.update': {
    '+ parameter name?': 'a key can be called something else',
    '+ parameter region?': 'a key can be renamed without naming its region again',
    '- parameter region': 'a key can be renamed without naming its region again',
  },
  'ingest.transcoders.list': {
    '+ answer limit': 'how many a project may have',
    '+ answer codecs*': 'codecs that at least one server can encode',
    '+ answer reason': 'why there can be none',
    '+ answer results[].state.restarts': 'how often its program ended',
    '+ answer results[].state.on_card': 'a graphics card encodes',
    '+ answer results[].state.reason': 'why it does not run',
  },
  'projects.projects.list': {
    '+ answer results[].suspended': 'operators suspend projects',
    '+ answer results[].lacks_factor': 'a project demands a second factor of its members',
  },
  'projects.projects.info': {
    '+ answer suspended*': 'operators suspend projects',
    '+ answer data.debt': 'owed after a chargeback of money that was spent',
    '+ answer restream.data.discount.sold[]': 'operators switch periods off',
    '+ answer transcoding.data.discount.sold[]': 'operators switch periods off',
    '+ answer restream.data.discount.quarter': 'operators sell quarters',
    '+ answer transcoding.data.discount.quarter': 'operators sell quarters',
    '- answer v': 'an echo of the request that later versions dropped',
    '- answer language': 'an echo of the request that later versions dropped',
    '+ answer storage.data.*':
      'published with a transcoding plan; the second version of the client library corrects it',
    '- answer storage.data.*':
      'published with a transcoding plan; the second version of the client library corrects it',
  },
  'projects.history.list': {
    '+ parameter action?=*': 'the project, its plans and its keys are noted as well',
    '- parameter action?=*': 'the project, its plans and its keys are noted as well',
    '+ parameter user_id?': 'what one person did',
    '+ answer results[].user_*': 'a page shows names, also of former members of the project',
    '+ answer results[].details*': 'what was changed, not only that something was',
  },
  ...chatReasons,
  ...lineReasons,
  ...helpReasons,
  ...moneyReasons,
  ...notificationReasons,
}
