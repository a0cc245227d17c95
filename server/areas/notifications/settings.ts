// Settings of notifications over HTTP: matrix, banner, quiet hours, browsers and Telegram of the caller.
import { settings } from '#contract/areas/notifications/settings.ts'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import { iso } from '#server/core/clock.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { randomToken } from '#server/core/secrets.ts'
import { implement } from '#server/core/implement.ts'
import { transaction } from '#server/db/transaction.ts'
import { getUser } from '#server/domain/account/store.ts'
import { actionsOf } from '#server/domain/notifications/history.ts'
import { levelOf } from '#server/domain/notifications/kinds.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { addPush, issueLinkToken, mayPostTo } from '#server/domain/notifications/addresses.ts'
import {
  findQuiet,
  findTelegramLink,
  listPush,
  removePush,
  removeTelegramLink,
  upsertQuiet,
  upsertSetting,
} from '#server/domain/notifications/addresses-store.ts'
import { mailCaps } from '#server/domain/notifications/rules.ts'
import { matrixOf } from '#server/domain/notifications/settings.ts'
import { listScreens, updateScreensClosed } from '#server/domain/notifications/store.ts'
import { pushKey } from '#server/domain/notifications/vapid.ts'
import { textOf } from '#server/domain/notifications/texts.ts'
import { publish } from '#server/domain/realtime/realtime.ts'

const perMinute = { test: 6, link: 10, push: 20 }
const done = { success: true }
const gravity = { debug: 0, info: 1, warning: 2, error: 3 }

export const notifySettingRoutes = implement(settings, {
  get: async ({ project_id }, ctx) => ({
    user_id: ctx.user.id,
    channels: await reachable(ctx),
    relation: { ...(await matrixOf(ctx.db, ctx.user.id, project_id)), project_id },
    caps: { email_minutes: mailCaps.everyMs / 60_000, email_day: mailCaps.day },
  }),

  set: async ({ project_id, notify_channel: channel, notify_category: category, status }, ctx) => {
    await upsertSetting(ctx.db, { user_id: ctx.user.id, project_id, channel, category }, status === 'enable')
    return done
  },

  screen: async ({ project_id }, { db, clock, user, language }) => {
    const rows = await listScreens(db, user.id, project_id, iso(clock.now()))
    const [row] = rows.toSorted((a, b) => gravity[levelOf(b)] - gravity[levelOf(a)])
    if (!row) return { type: 'info', text: '' }
    const [title, text] = textOf(row, language)
    return { type: levelOf(row), title, text, actions: Object.values(actionsOf(row)).flat() }
  },

  removeScreen: async ({ project_id }, ctx) => {
    await updateScreensClosed(ctx.db, project_id, { userId: ctx.user.id })
    publish(ctx, { type: 'project', id: project_id }, { event: 'notification', payload: {} })
    return done
  },

  delMobileToken: async ({ token }, { db, user }) => {
    await removePush(db, token, user.id)
    return done
  },

  preferences: async (_, ctx) => {
    const { db, config, user } = ctx
    // Before the list of browsers: a new key ends their subscriptions.
    const push_key = await pushKey(ctx)
    const quiet = await findQuiet(db, user.id)
    const link = await findTelegramLink(db, user.id)
    const devices = await listPush(db, user.id, iso(ctx.clock.now()))
    return {
      quiet: quiet
        ? {
            from: quiet.quiet_from,
            to: quiet.quiet_to,
            time_zone: quiet.time_zone,
            important: quiet.quiet_important === 1,
          }
        : null,
      telegram: link ? { name: link.name, date: link.date_create } : null,
      devices: devices.map(({ token, device, date_create }) => ({ token, device, date: date_create })),
      email: (await getUser(db, user.id)).email,
      ready: { email: config.mail !== null, telegram: hasBot(ctx), mobile: true },
      push_key,
    }
  },

  setPreferences: async ({ quiet }, { db, user }) => {
    await upsertQuiet(
      db,
      user.id,
      quiet && {
        quiet_from: quiet.from,
        quiet_to: quiet.to,
        time_zone: quiet.time_zone,
        quiet_important: quiet.important ? 1 : 0,
      },
    )
    return done
  },

  addPush: async (target, ctx) => {
    ctx.limits.count(`push ${ctx.user.id}`, perMinute.push)
    if (!mayPostTo(ctx, target.endpoint)) throw new RuleError('EndpointNotAllowed')
    return { token: await addPush(ctx, ctx.user, target) }
  },

  linkTelegram: async (_, ctx) => {
    ctx.limits.count(`telegram link ${ctx.user.id}`, perMinute.link)
    if (!hasBot(ctx)) throw new RuleError('TelegramNotConfigured')
    const { token, end } = await issueLinkToken(ctx, ctx.user.id)
    const bot = ctx.config.telegramBotName
    return { url: `https://t.me/${bot}?start=${token}`, bot, date_expire: end }
  },

  unlinkTelegram: async (_, { db, user }) => {
    await removeTelegramLink(db, { user_id: user.id })
    return done
  },

  test: async ({ project_id, channel }, ctx) => {
    ctx.limits.count(`notification test ${ctx.user.id}`, perMinute.test)
    const reach = await reachable(ctx)
    const all = Object.keys(reach) as NotifyChannel[]
    const sent = all.filter((one) => reach[one] && (channel === undefined || one === channel))
    await transaction(ctx.db, (trx) =>
      notify(ctx, trx, {
        kind: 'notification_test',
        projectId: project_id,
        ref: randomToken().slice(0, 16),
        userId: ctx.user.id,
        params: { date: iso(ctx.clock.now()) },
        only: sent,
      }),
    )
    return { sent }
  },
})

type Own = Pick<Context<'session'>, 'db' | 'clock' | 'config' | 'user'>

const hasBot = ({ config }: Pick<Own, 'config'>): boolean =>
  config.telegramBotToken !== null && config.telegramBotName !== ''

/** Returns the channels that reach the caller. */
async function reachable({ db, clock, config, user }: Own) {
  return {
    cabinet: true,
    telegram: hasBot({ config }) && (await findTelegramLink(db, user.id)) !== undefined,
    mobile: (await listPush(db, user.id, iso(clock.now()))).length > 0,
    email: config.mail !== null && (await getUser(db, user.id)).email !== null,
  }
}
