// Every address of the dashboard, spelled once. A test walks each of them through the router.

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
  /** @param ended the session is over: the page says so */
  signIn: (returnTo?: string, { ended = false } = {}) =>
    returnTo ? `/sign-in?${new URLSearchParams({ returnTo, ...(ended && { ended: '1' }) })}` : '/sign-in',
  callback: () => '/auth/callback',
  /** Where the link of an invitation leads, with its secret behind `#`. */
  invite: () => '/invite',
  /** The same for a shared channel. */
  channelInvite: () => '/channel-invite',

  home: inProject(),
  broadcasts: inProject('/broadcasts'),
  broadcast: (projectId: ProjectId, broadcastId: number | string) => `/p/${projectId}/broadcasts/${broadcastId}`,
  channels: (projectId: ProjectId, tab?: 'accounts' | 'shared' | 'add') =>
    `/p/${projectId}/channels${tab ? `/${tab}` : ''}`,
  channel: (projectId: ProjectId, channelId: number | string) => `/p/${projectId}/channels/${channelId}`,
  ingest: (projectId: ProjectId, tab?: 'pull' | 'servers' | 'transcoders') =>
    `/p/${projectId}/stream-setup${tab ? `/${tab}` : ''}`,
  chat: inProject('/chat'),
  media: inProject('/media'),
  analytics: inProject('/analytics'),
  tariffs: (projectId: ProjectId, line?: ProductLine) => `/p/${projectId}/tariffs${line ? `/${line}` : ''}`,
  billing: inProject('/billing'),
  project: (projectId: ProjectId, tab?: 'members' | 'history') => `/p/${projectId}/project${tab ? `/${tab}` : ''}`,
  notifications: inProject('/notifications'),

  account: (tab?: 'sessions' | 'socials') => (tab ? `/account/${tab}` : '/account'),
  help: () => '/help',
  reference: () => '/reference',
  referenceGroup: (group: string) => `/reference/${group}`,
} as const
