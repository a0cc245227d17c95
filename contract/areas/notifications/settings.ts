// NotifyUser: channels and categories of the caller in a project, the banner of a project, and the caller's own addresses.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Nothing, Success } from '#contract/core/wire.ts'
import { NotifyAction, NotifyCategory, NotifyChannel, NotifyLevel } from '#contract/entities/notification.ts'
import { TimeZone } from '#contract/entities/time-zone.ts'

/** Longest address of a push service, characters. */
const endpointMax = 1_000

/** Time of day, `HH:MM`. */
const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** Quiet hours: without sound outside the dashboard. Equal times: none. */
const QuietHours = z.object({ from: TimeOfDay, to: TimeOfDay, time_zone: TimeZone, important: z.boolean() })

const channelFlags = { cabinet: z.boolean(), telegram: z.boolean(), mobile: z.boolean(), email: z.boolean() }
const categories = z.array(NotifyCategory)

/** Settings of the caller in a project (published `SiteNotifyUserResponse`). `email` and `caps` are ours. */
export const NotifySetting = z.object({
  user_id: z.int(),
  channels: z.object(channelFlags),
  relation: z.object({
    cabinet: categories,
    telegram: categories,
    mobile: categories,
    email: categories,
    project_id: z.int(),
  }),
  caps: z.object({ email_minutes: z.int(), email_day: z.int() }),
})
export type NotifySetting = z.output<typeof NotifySetting>

/** A browser that shows notifications. `token` removes it (`del_mobile_token`). */
const PushDevice = z.object({ token: z.string(), device: z.string(), date: DateTime })

/** Channels that reach the caller, and the quiet hours. */
export const Preferences = z.object({
  quiet: z.nullable(QuietHours),
  telegram: z.nullable(z.object({ name: z.string(), date: DateTime })),
  devices: z.array(PushDevice),
  email: z.nullable(z.string()),
  ready: z.object({ email: z.boolean(), telegram: z.boolean(), mobile: z.boolean() }),
  push_key: z.nullable(z.string()),
})
export type Preferences = z.output<typeof Preferences>

export const settings = group(
  'notifications.settings',
  { prefix: 'notify_user', title: 'NotifyUser', stale: ['notifications.settings'] },
  {
    get: read('setting', {
      name: 'Get user notify settings',
      input: InProject,
      output: NotifySetting,
      auth: 'viewer',
      scope: 'profile:read',
      provenance: 'published',
      carries: ['v'],
      notes: {
        channels: 'channels that reach the caller: a linked Telegram account, a subscribed browser, an e-mail address',
        relation: 'categories that are switched on, by channel',
        email_minutes: 'least minutes between two e-mails about one project',
        email_day: 'most e-mails a day about one project; the rest is one e-mail',
      },
    }),
    set: write('POST', 'setting', {
      name: 'Set user notify settings',
      input: z.extend(InProject, {
        notify_channel: NotifyChannel,
        notify_category: NotifyCategory,
        status: z.enum(['enable', 'disable']),
      }),
      output: Success,
      auth: 'viewer',
      scope: 'profile:write',
      provenance: 'published',
      inQuery: ['v'],
      carries: ['v'],
      stale: ['notifications.settings.get'],
    }),
    screen: read('screen', {
      name: 'Get user screen notify',
      input: InProject,
      output: z.object({
        type: NotifyLevel,
        title: z.optional(z.string()),
        text: z.string(),
        actions: z.optional(z.array(NotifyAction)),
      }),
      auth: 'viewer',
      scope: 'profile:read',
      provenance: 'published',
      notes: { text: 'gravest open banner of the project; empty: none' },
    }),
    removeScreen: write('POST', 'screen', {
      name: 'Remove user screen notify',
      placement: 'query',
      input: InProject,
      output: Success,
      status: 201,
      auth: 'viewer',
      scope: 'profile:write',
      provenance: 'published',
      stale: ['notifications.settings.screen'],
    }),
    delMobileToken: write('POST', 'del_mobile_token', {
      name: 'Delete mobile token from user',
      placement: 'query',
      input: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
      output: Success,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      notes: { token: 'of a device in preferences; an unknown one succeeds as well' },
    }),
    preferences: read('preferences', {
      name: 'Get devices, Telegram and quiet hours of the user',
      input: Nothing,
      output: Preferences,
      auth: 'session',
      scope: 'profile:read',
      provenance: 'decided',
      notes: {
        quiet: 'important: whether important notifications are sent in quiet hours; null: no quiet hours',
        telegram: 'linked account of Telegram',
        email: 'address of the account',
        ready: 'channels that this installation is configured for',
        push_key: 'applicationServerKey of web push; null: not available',
      },
    }),
    setPreferences: write('POST', 'preferences', {
      name: 'Set quiet hours',
      input: z.object({ quiet: z.nullable(QuietHours) }),
      output: Success,
      status: 201,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'decided',
      stale: ['notifications.settings.preferences'],
    }),
    addPush: write('POST', 'push', {
      name: 'Subscribe a browser to notifications',
      input: z.object({
        endpoint: z.string().check(z.maxLength(endpointMax), z.regex(/^https?:\/\//)),
        p256dh: z.string().check(z.maxLength(120), z.regex(/^[\w+/=-]+$/)),
        auth: z.string().check(z.maxLength(60), z.regex(/^[\w+/=-]+$/)),
        device: z._default(z.string().check(z.maxLength(100)), ''),
      }),
      output: z.object({ token: z.string() }),
      status: 201,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      notes: {
        endpoint: 'address of the push service, from `PushSubscription`',
        p256dh: 'public key of the browser, base64url',
        auth: 'authentication secret of the browser, base64url',
        device: 'name for the list of devices',
      },
    }),
    linkTelegram: write('POST', 'telegram/link', {
      name: 'Get a link that connects Telegram',
      input: Nothing,
      output: z.object({ url: z.string(), bot: z.string(), date_expire: DateTime }),
      status: 201,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'decided',
      replay: 'never',
      notes: { url: 'opens the chat with the bot; works once within 15 minutes, in a private chat' },
      // The bot connects the account after this response.
      stale: [],
    }),
    unlinkTelegram: write('POST', 'telegram/unlink', {
      name: 'Disconnect Telegram',
      input: Nothing,
      output: Success,
      status: 201,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'decided',
    }),
    test: write('POST', 'test', {
      name: 'Send a test notification',
      input: z.object({ project_id: Id, channel: z.optional(NotifyChannel) }),
      output: z.object({ sent: z.array(NotifyChannel) }),
      status: 201,
      auth: 'viewer',
      scope: 'profile:write',
      provenance: 'decided',
      notes: { channel: 'left out: every channel that reaches the caller', sent: 'channels that receive it' },
      stale: ['notifications.history'],
    }),
  },
)
