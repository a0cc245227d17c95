// Every operation of the brief (section 1, and 4.3 for Auth) is declared, or listed in not-served.ts.
import { expect, test } from 'vitest'
import { groupInfo, operationsOf } from './core/group.ts'
import { groups } from './index.ts'
import { notServed } from './not-served.ts'

const perPlatform = (...platforms: string[]) => platforms.map((name) => `Optional settings per platform (${name})`)

const brief: Record<string, readonly string[]> = {
  User: ['Get user profile', 'Update profile'],
  PlanRestream: [
    'Get tariff for project',
    'Remove after tariff',
    'Buy restream tariff',
    'Get list of restream tariffs',
    'Get list of restream tariffs for project',
    'Get discount restream',
    'Load data for show card the tariffs v2',
  ],
  PlanTranscoding: [
    'Get tariff for project',
    'Remove after tariff',
    'Buy transcoder tariff',
    'Get list of transcoding tariffs',
    'Get discount transcoding',
    'Check transcoding tariff before buy',
  ],
  PlanStorage: [
    'Get tariff for project',
    'Remove next tariff',
    'Buy storage tariff',
    'Get info for storage tariff',
    'Get discount of storage',
    'Check storage tariff before buy',
  ],
  MoneyFlow: ['Transaction list for frontend'],
  Transactions: ['Transaction list for frontend'],
  UserProject: [
    'Select user for project',
    'Get project by number id',
    'Get user by number id',
    'List of user in project',
    'Remove user from project',
    'Change access user from project',
    'List of project for current user',
    'Get project full info',
  ],
  Project: ['Get live status'],
  ProjectHistory: ['Get project history of actions'],
  NotifyUser: [
    'Delete mobile token from user',
    'Get user notify settings',
    'Set user notify settings',
    'Get user screen notify',
    'Remove user screen notify',
  ],
  Centrifuge: ['Auth centrifuge', 'Auth token for project', 'Auth token for broadcast'],
  'Stream key': ['Get stream credentials', 'Update record'],
  'Channel settings': [
    ...perPlatform('vk', 'youtube', 'trovo', 'twitch', 'ok', 'vk video live', 'telegram'),
    'Set planned id',
    'Get playlists from the platform',
    'Get planned list',
    'Set name for a custom channel',
    'Set rtmp url for a custom channel',
    'Set transcoder for a channel',
    'Get status platform',
    'Get post by filter',
    'Get post list',
    'Get settings',
    'Set settings',
    'Get code for connected chat',
    'Disconnect chat',
  ],
  Channel: ['Search channel list', 'Minimal channel list', 'Get live status'],
  Transcoders: ['List', 'create', 'update', 'delete', 'stop'],
  Platforms: ['Get url for start oauth', 'Get category from the platform', 'Supported platforms'],
  Auth: [
    'Connect telegram in account',
    'Auth telegram',
    'Get basic data for auth user',
    'Get url for start oauth',
    'Connected social account',
    'Update access token',
    'Internal request of auth old vk',
    'Internal request of auth new vk',
    'Guest request of auth',
    'Disconnected social account',
    'Logout',
    'CallBack for connect social',
    'Get code for auth',
    'Code exchange',
  ],
  Socials: ['Social list for user'],
  BlogPage: ['Get list of pages', 'Get page'],
  BlogPageTag: ['Get list of pages'],
  HelpPage: ['Get list of pages', 'Get page', 'Get structure of help pages'],
  PolicyPage: ['Get policy page'],
  NotifyHistory: [
    'Get item by id',
    'Get list of my notifications',
    'Get unread status',
    'Set all as read',
    'Set one as read',
    'Run action in notify item',
  ],
  ProjectChannelInvite: [
    'List of invites for channel in project',
    'Get invitation for channel',
    'Accept invitation for channel',
    'Decline invitation for channel',
    'Get invitation using a secret link',
    'Accept invitation using a secret link',
    'Decline invitation using a secret link',
    'Get channel invite item',
    'Add channel invite item by id',
    'Add channel invite item by email',
    'Delete channel invite item',
  ],
  ProjectChannel: ['Project channel list', 'Remove access', 'Change access', 'Transfer owner'],
  RtmpServer: [
    'Locations list for unauthorized users',
    'List rtmp servers',
    'State of rtmp servers',
    'Graph of rtmp servers',
  ],
  'Pay system': ['Load available pay systems', 'create pay-system challenge', 'create pay-system item'],
  Payment: ['Create payment item', 'get payment status', 'payment list'],
  'Pay setting': [
    'Get pay settings for profile (v3)',
    'Set pay settings for profile (v3)',
    'Check country after update user',
  ],
  Payout: ['Create payout', 'Get payout data for create'],
  'Stream pull keys': ['Check key', 'List keys', 'Create key', 'Update key', 'Delete key'],
  'Chat gateway': ['List history message', 'Send message', 'Get one message', 'Remove message'],
  Broadcast: ['Connect channel, long polling', 'Get restreams'],
  Release: ['Get current version app'],
  Live: ['View live info'],
  Analytics: ['Bitrate for stream', 'Viewers for stream', 'Events for stream'],
  Promo: ['Check code', 'Apply code'],
  Referrals: ['Total info'],
  'Pull servers': ['Get pull servers'],
}

const known = new Map<string, Set<string>>()
const learn = (title: string, name: string | undefined) => {
  if (name) known.set(title, (known.get(title) ?? new Set()).add(name))
}
for (const group of groups) for (const op of operationsOf(group)) learn(groupInfo(group).title, op.name)
for (const group of notServed) for (const [, name] of group.operations) learn(group.title, name)

test.each(Object.entries(brief))('declares or lists as not served: %s', (title, names) => {
  expect(names.filter((name) => !known.get(title)?.has(name))).toEqual([])
})
