// API operations that the service implements.
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { avatarBytesMax } from '#contract/areas/account/profile.ts'
import { authRoutes } from '#server/areas/account/auth.ts'
import { recordingRoutes } from '#server/areas/broadcasts/recordings.ts'
import { previewRoutes } from '#server/areas/broadcasts/preview.ts'
import { analyticsRoutes } from '#server/areas/analytics/analytics.ts'
import { renewalRoutes } from '#server/areas/billing/renewals.ts'
import { paperRoutes } from '#server/areas/billing/papers.ts'
import { methodRoutes } from '#server/areas/billing/methods.ts'
import { paymentRoutes } from '#server/areas/billing/payments.ts'
import { paySystemRoutes } from '#server/areas/billing/pay-systems.ts'
import { paySettingRoutes } from '#server/areas/billing/pay-settings.ts'
import { broadcastRoutes } from '#server/areas/broadcasts/broadcasts.ts'
import { liveRoutes } from '#server/areas/broadcasts/live.ts'
import { liveStatusRoutes } from '#server/areas/broadcasts/live-status.ts'
import { chatRoutes } from '#server/areas/chat/chat.ts'
import { keyRoutes as chatKeyRoutes } from '#server/areas/chat/keys.ts'
import { moderateRoutes } from '#server/areas/chat/moderate.ts'
import { settingsRoutes as chatSettingsRoutes } from '#server/areas/chat/settings.ts'
import { profileRoutes } from '#server/areas/account/profile.ts'
import { sessionRoutes } from '#server/areas/account/sessions.ts'
import { accountSettingRoutes } from '#server/areas/account/settings.ts'
import { socialRoutes } from '#server/areas/account/socials.ts'
import { accessRoutes } from '#server/areas/channels/access.ts'
import { addChannelRoutes } from '#server/areas/channels/add-channel.ts'
import { channelRoutes } from '#server/areas/channels/channels.ts'
import { channelInviteRoutes } from '#server/areas/channels/invites.ts'
import { plannedRoutes } from '#server/areas/channels/planned.ts'
import { platformRoutes } from '#server/areas/channels/platforms.ts'
import { settingRoutes } from '#server/areas/channels/settings.ts'
import { telegramChatRoutes } from '#server/areas/channels/telegram-chat.ts'
import { articleRoutes } from '#server/areas/help/articles.ts'
import { blogPageRoutes } from '#server/areas/help/blog-pages.ts'
import { blogTagRoutes } from '#server/areas/help/blog-tags.ts'
import { policyRoutes } from '#server/areas/help/policies.ts'
import { releaseRoutes } from '#server/areas/help/releases.ts'
import { pullKeyRoutes } from '#server/areas/ingest/pull-keys.ts'
import { pullServerRoutes } from '#server/areas/ingest/pull-servers.ts'
import { rtmpServerRoutes } from '#server/areas/ingest/rtmp-servers.ts'
import { streamKeyRoutes } from '#server/areas/ingest/stream-keys.ts'
import { transcoderRoutes } from '#server/areas/ingest/transcoders.ts'
import { notifyHistoryRoutes } from '#server/areas/notifications/history.ts'
import { webhookRoutes } from '#server/areas/notifications/webhooks.ts'
import { notifySettingRoutes } from '#server/areas/notifications/settings.ts'
import { historyRoutes } from '#server/areas/projects/history.ts'
import { inviteRoutes } from '#server/areas/projects/invites.ts'
import { memberRoutes } from '#server/areas/projects/members.ts'
import { projectRoutes } from '#server/areas/projects/projects.ts'
import { tokenRoutes } from '#server/areas/realtime/tokens.ts'
import { moneyFlowRoutes } from '#server/areas/billing/money-flow.ts'
import { operatorPaperRoutes } from '#server/areas/operator/papers.ts'
import { operatorPaymentRoutes } from '#server/areas/operator/payments.ts'
import { operatorPayoutRoutes } from '#server/areas/operator/payouts.ts'
import { operatorPromoRoutes } from '#server/areas/operator/promos.ts'
import { payoutRoutes } from '#server/areas/billing/payouts.ts'
import { referralRoutes } from '#server/areas/billing/referrals.ts'
import { promoRoutes } from '#server/areas/tariffs/promo.ts'
import { transferRoutes } from '#server/areas/billing/transfers.ts'
import { transactionRoutes } from '#server/areas/billing/transactions.ts'
import { customerRoutes } from '#server/areas/operator/customers.ts'
import { healthRoutes } from '#server/areas/operator/health.ts'
import { planRoutes } from '#server/areas/operator/plans.ts'
import { settingRoutes as operatorSettingRoutes } from '#server/areas/operator/settings.ts'
import { restreamRoutes } from '#server/areas/tariffs/restream.ts'
import { storageRoutes } from '#server/areas/tariffs/storage.ts'
import { transcodingRoutes } from '#server/areas/tariffs/transcoding.ts'
import type { Services } from '#server/core/context.ts'
import { type Operates, serveOperations, type Written } from '#server/core/http.ts'
import type { Route } from '#server/core/implement.ts'
import { hasOperator } from '#server/domain/installation/store.ts'
import { admit } from '#server/domain/projects/access.ts'

const routes: readonly Route[] = [
  ...broadcastRoutes,
  ...previewRoutes,
  ...recordingRoutes,
  ...liveRoutes,
  ...liveStatusRoutes,
  ...analyticsRoutes,
  ...chatRoutes,
  ...chatKeyRoutes,
  ...moderateRoutes,
  ...chatSettingsRoutes,
  ...authRoutes,
  ...profileRoutes,
  ...sessionRoutes,
  ...accountSettingRoutes,
  ...socialRoutes,
  ...addChannelRoutes,
  ...channelRoutes,
  ...accessRoutes,
  ...channelInviteRoutes,
  ...settingRoutes,
  ...plannedRoutes,
  ...telegramChatRoutes,
  ...platformRoutes,
  ...projectRoutes,
  ...streamKeyRoutes,
  ...rtmpServerRoutes,
  ...pullKeyRoutes,
  ...pullServerRoutes,
  ...transcoderRoutes,
  ...memberRoutes,
  ...inviteRoutes,
  ...historyRoutes,
  ...restreamRoutes,
  ...storageRoutes,
  ...transcodingRoutes,
  ...paySettingRoutes,
  ...paperRoutes,
  ...renewalRoutes,
  ...moneyFlowRoutes,
  ...transactionRoutes,
  ...paymentRoutes,
  ...paySystemRoutes,
  ...methodRoutes,
  ...promoRoutes,
  ...payoutRoutes,
  ...referralRoutes,
  ...transferRoutes,
  ...operatorPromoRoutes,
  ...operatorPayoutRoutes,
  ...operatorPaperRoutes,
  ...operatorPaymentRoutes,
  ...notifyHistoryRoutes,
  ...notifySettingRoutes,
  ...webhookRoutes,
  ...tokenRoutes,
  ...operatorSettingRoutes,
  ...planRoutes,
  ...customerRoutes,
  ...healthRoutes,
  ...articleRoutes,
  ...blogPageRoutes,
  ...blogTagRoutes,
  ...policyRoutes,
  ...releaseRoutes,
]

const hasForm = ({ op }: Route) => op.placement === 'multipart'

/** Registers a route for each implemented operation. @param written called after each write that succeeded */
export async function serveApi(server: FastifyInstance, services: Services, written: Written): Promise<void> {
  const operates: Operates = ({ db }, { id }) => hasOperator(db, id)
  const edge = { admit, operates, written }
  serveOperations(
    server,
    routes.filter((route) => !hasForm(route)),
    services,
    edge,
  )
  // The multipart parser runs for every call of its scope.
  await server.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: avatarBytesMax, files: 1, fields: 20, fieldSize: 10_000, parts: 21 },
    })
    serveOperations(scope, routes.filter(hasForm), services, edge)
  })
}
