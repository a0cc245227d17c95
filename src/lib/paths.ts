// Every path of the dashboard. A test opens each of them through the router.
import type { Article } from './articles.ts'

type ProjectId = number | string

/** Product lines that are sold by plan: tabs of the tariff page. */
export const productLines = ['restream', 'transcoding', 'storage'] as const
type ProductLine = (typeof productLines)[number]

const inProject =
  (rest = '') =>
  (projectId: ProjectId) =>
    `/p/${projectId}${rest}`

export const paths = {
  root: () => '/',
  /** @param ended the session has ended: the page shows a notice */
  signIn: (returnTo?: string, { ended = false } = {}) =>
    returnTo ? `/sign-in?${new URLSearchParams({ returnTo, ...(ended && { ended: '1' }) })}` : '/sign-in',
  callback: () => '/auth/callback',
  /** Target of a platform's redirect that belongs to no begun connection. */
  connectExpired: () => '/connect/expired',
  /** Target of an invitation link, with its secret behind `#`. */
  invite: () => '/invite',
  /** Target of the link of a shared channel, with its secret behind `#`. */
  channelInvite: () => '/channel-invite',

  home: inProject(),
  broadcasts: (projectId: ProjectId, tab?: 'recordings' | 'schedule') =>
    `/p/${projectId}/broadcasts${tab ? `/${tab}` : ''}`,
  broadcast: (projectId: ProjectId, broadcastId: number | string) => `/p/${projectId}/broadcasts/${broadcastId}`,
  channels: (projectId: ProjectId, tab?: 'accounts' | 'shared' | 'add') =>
    `/p/${projectId}/channels${tab ? `/${tab}` : ''}`,
  channel: (projectId: ProjectId, channelId: number | string) => `/p/${projectId}/channels/${channelId}`,
  ingest: (projectId: ProjectId, tab?: 'pull' | 'servers' | 'transcoders') =>
    `/p/${projectId}/stream-setup${tab ? `/${tab}` : ''}`,
  media: inProject('/media'),
  chat: inProject('/chat'),
  /** The chat in a window of its own. */
  chatPopout: inProject('/chat/popout'),
  /** The chat as a dock of OBS, with its key behind `#`. */
  chatDock: () => '/dock/chat',
  analytics: inProject('/analytics'),
  tariffs: (projectId: ProjectId, line?: ProductLine) => `/p/${projectId}/tariffs${line ? `/${line}` : ''}`,
  billing: (projectId: ProjectId, tab?: 'history' | 'cards' | 'payouts' | 'referrals') =>
    `/p/${projectId}/billing${tab ? `/${tab}` : ''}`,
  /** Page of a payment, to which providers return the customer (`server/domain/billing/providers/return-url.ts`). */
  payment: (projectId: ProjectId, paymentId: number | string) => `/p/${projectId}/billing/payments/${paymentId}`,
  project: (projectId: ProjectId, tab?: 'members' | 'history') => `/p/${projectId}/project${tab ? `/${tab}` : ''}`,
  notifications: (projectId: ProjectId, tab?: 'settings' | 'webhooks') =>
    `/p/${projectId}/notifications${tab ? `/${tab}` : ''}`,

  account: (tab?: 'sessions' | 'socials' | 'security' | 'tokens' | 'apps') => (tab ? `/account/${tab}` : '/account'),
  /** Pages of the operators of the installation. */
  operator: (tab?: string) => (tab ? `/operator/${tab}` : '/operator'),
  /**
   * The handbook, or one of its articles.
   * @param anchor id of a heading, or a code that begins a list item of the article
   */
  help: (article?: Article, anchor?: string) =>
    `/help${article ? `/${article}` : ''}${article && anchor ? `#${anchor}` : ''}`,
  /** Posts of the operator, or one of them. */
  blog: (post?: string) => (post ? `/blog/${post}` : '/blog'),
  policy: (name: string) => `/policies/${name}`,
  reference: () => '/reference',
  referenceGroup: (group: string) => `/reference/${group}`,
} as const

/** Tabs of "Plans & billing". Texts: `common:plansTab.<key>`; `page`: what a server may lack. */
export const plansTabs = [
  ...productLines.map((line) => ({
    key: line,
    page: line,
    to: (projectId: ProjectId) => paths.tariffs(projectId, line === 'restream' ? undefined : line),
  })),
  ...(['balance', 'history', 'cards', 'payouts', 'referrals'] as const).map((tab) => ({
    key: tab,
    page: 'billing',
    to: (projectId: ProjectId) => paths.billing(projectId, tab === 'balance' ? undefined : tab),
  })),
] as const
