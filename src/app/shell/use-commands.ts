// Entries of the command palette: every page, each tab of a page, and the common actions.
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { paths, plansTabs } from '#src/lib/paths.ts'
import { authStore } from '#src/stores/session.ts'
import { chooseTheme } from '#src/stores/theme.ts'
import type { Command } from './command.ts'
import { useNavigation } from './navigation.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { articles } from '#contract/areas/help/articles.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useStatus } from '#src/components/use-status.ts'
import { useSwitch } from '#src/areas/channels/use-switch.ts'
import { titleIn } from '#src/areas/help/texts.ts'
import { tabs } from '#src/areas/operator/tabs.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { copyText } from '#src/ui/copy-button.tsx'

// Actions of the command palette: broadcast, stream key and channels. Lists only actions that the user may take; the
// service decides in any case.

/** Maximum age of the status without a realtime connection, milliseconds. */
const everyMs = 10_000

/**
 * Actions that are available now.
 * @returns first those of the broadcast, then a switch for each channel
 */
function useActs(projectId: number): readonly Command[] {
  const { t, ready } = useTranslation(['common', 'home', 'channels'], { useSuspense: false })
  const mayEdit = useMayEdit(projectId, false)
  const ofAir = useAirActs(projectId)
  const queries = useQueryClient()
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 })).data
  const flip = useSwitch(projectId)
  if (!ready) return []

  const copyKey = async () => {
    const { key } = await queries.fetchQuery(q(streamKeys.get, { project_id: projectId }))
    await copyText(key)
  }
  return [
    ...(mayEdit ? ofAir : []),
    ...(mayEdit ? [{ label: t('home:copy.key'), group: t('nav.ingest'), act: copyKey }] : []),
    ...(list?.results ?? [])
      .filter(({ access_type }) => mayEdit && roleCan(access_type, 'editor'))
      .map(({ group_id: channel_id, name, active }) => ({
        id: `switch ${channel_id}`,
        label: t(`channels:act.${active ? 'off' : 'on'}`, { name }),
        group: t('nav.channels'),
        act: () => flip.mutateAsync({ channel_id, status: !active, project_id: projectId }),
      })),
  ]
}

/** Actions for the running broadcast; empty while off air. */
function useAirActs(projectId: number): readonly Command[] {
  const { t } = useTranslation(['common', 'home'], { useSuspense: false })
  const { data } = useStatus(projectId, everyMs)
  const [stop, pause, play, retry] = [
    useWrite(broadcasts.stop),
    useWrite(broadcasts.pause),
    useWrite(broadcasts.play),
    useWrite(broadcasts.retry),
  ]
  if (data?.kind !== 'live') return []
  const group = t('onAir.on')
  const on = { project_id: projectId, broadcast_id: data.broadcast_id }
  const isPaused = data.action === 'stopped'
  const failing = isPaused ? [] : data.restreams.filter(({ state }) => state === 'backoff' || state === 'rejected')
  return [
    {
      label: t('home:stop.confirm'),
      group,
      act: () => stop.mutateAsync(on),
      ask: { title: t('home:stop.title'), text: t('home:stop.text'), keep: t('home:stop.keep') },
    },
    isPaused
      ? { label: t('home:pause.resume'), group, act: () => play.mutateAsync(on) }
      : { label: t('home:pause.button'), group, act: () => pause.mutateAsync(on) },
    ...failing.flatMap(({ channel_id, name }) =>
      channel_id === undefined
        ? []
        : {
            id: `retry ${channel_id}`,
            label: t('home:channels.retryOne', { name }),
            group,
            act: () => retry.mutateAsync({ ...on, channel_id }),
          },
    ),
  ]
}

type ProjectId = number | string

/** Tabs and nested pages: titles, parents and paths. */
const behind: readonly (readonly [title: string, group: string, to: (projectId: ProjectId) => string])[] = [
  ['channels:add.title', 'nav.channels', (projectId) => paths.channels(projectId, 'add')],
  ['channels:tab.accounts', 'nav.channels', (projectId) => paths.channels(projectId, 'accounts')],
  ['channels:tab.shared', 'nav.channels', (projectId) => paths.channels(projectId, 'shared')],
  ['broadcasts:recordings.title', 'nav.broadcasts', (projectId) => paths.broadcasts(projectId, 'recordings')],
  ['ingest:tab.pull', 'nav.ingest', (projectId) => paths.ingest(projectId, 'pull')],
  ['ingest:tab.servers', 'nav.ingest', (projectId) => paths.ingest(projectId, 'servers')],
  ['ingest:tab.transcoders', 'nav.ingest', (projectId) => paths.ingest(projectId, 'transcoders')],
  ...plansTabs.map(({ key, to }) => [`common:plansTab.${key}`, 'nav.plans', to] as const),
  ['projects:members.tab', 'nav.project', (projectId) => paths.project(projectId, 'members')],
  ['projects:history.title', 'nav.project', (projectId) => paths.project(projectId, 'history')],
  ['nav.notifications', 'palette.pages', (projectId) => paths.notifications(projectId)],
  ['notifications:settings.title', 'nav.notifications', (projectId) => paths.notifications(projectId, 'settings')],
  ['notifications:webhooks.title', 'nav.notifications', (projectId) => paths.notifications(projectId, 'webhooks')],
  ['ingest:settings.record', 'nav.ingest', (projectId) => paths.ingest(projectId)],
  ['ingest:settings.wait', 'nav.ingest', (projectId) => paths.ingest(projectId)],
  ['ingest:rotate.button', 'nav.ingest', (projectId) => paths.ingest(projectId)],
  ['projects:invite.title', 'nav.project', (projectId) => paths.project(projectId, 'members')],
  ['projects:rename.title', 'nav.project', (projectId) => paths.project(projectId)],
  ['account:security.title', 'palette.account', () => paths.account('security')],
  ['account:password.title', 'palette.account', () => paths.account('security')],
  ['account:sessions.title', 'palette.account', () => paths.account('sessions')],
  ['account:signIn.title', 'palette.account', () => paths.account('socials')],
]

/** Areas with texts of `behind`. */
const areas = ['channels', 'broadcasts', 'ingest', 'projects', 'notifications', 'account']

/** Names of the languages in all of them. */
const languageWords = { en: 'eng английский 英语', ru: 'rus russian рус 俄语', cn: 'chinese zh китайский 中文' }

/** Tabs of the operator's desk; empty for other users. */
function useDesk(): readonly (readonly [label: string, to: string])[] {
  const { isOperator, hasPlans } = useInstallation()
  const { t, ready } = useTranslation(isOperator ? 'operator' : 'common', { useSuspense: false })
  if (!isOperator || !ready) return []
  return tabs
    .filter(({ needs }) => !needs || hasPlans)
    .map(({ key, path }) => [t(`operator:${key}.title`), paths.operator(path)])
}

/** Articles of the handbook in the language of the user. */
function useArticles(): readonly (readonly [label: string, to: string])[] {
  const language = useLanguage()
  const { hasPlans } = useInstallation()
  const { data } = useQuery({ ...q(articles.structure, {}), staleTime: Infinity, retry: false })
  return (data?.result ?? [])
    .filter(({ url }) => hasPlans || url !== 'plans')
    .flatMap(({ connections = [] }) => connections)
    .map(({ url_inherit, title }) => [titleIn(title, language), `/help/${url_inherit}`])
}

/** All entries in their order. Entries with texts of an area appear when those texts have loaded. */
export function useCommands(projectId: ProjectId): readonly Command[] {
  const { t } = useTranslation()
  const { ready } = useTranslation(areas, { useSuspense: false })
  const navigate = useNavigate()
  const navigation = useNavigation()
  const pages = new Set(['nav.notifications', ...navigation.map(({ key }) => `nav.${key}`)])
  const acts = useActs(Number(projectId))
  const channelList = useQuery(q(channels.search, { project_id: Number(projectId), limit: 100 })).data?.results ?? []
  const desk = useDesk()
  const texts = useArticles()
  const go = (to: string) => () => void navigate(to)
  return [
    ...navigation.map(({ key, to }) => ({
      label: t(`nav.${key}`),
      group: t('palette.pages'),
      words: t(`palette.words.${key}`),
      run: go(to(projectId)),
    })),
    ...(ready ? behind.filter(([, group]) => !group.startsWith('nav.') || pages.has(group)) : []).map(
      ([title, group, to]) => ({
        label: t(title),
        group: t(group),
        run: go(to(projectId)),
      }),
    ),
    ...desk.map(([label, to]) => ({ id: to, label, group: t('nav.operator'), run: go(to) })),
    ...channelList.map(({ group_id: id, name }) => ({
      id: `channel ${id}`,
      label: name,
      group: t('nav.channels'),
      run: go(paths.channel(projectId, id)),
    })),
    ...acts,
    { label: t('account.profile'), group: t('palette.account'), run: go(paths.account()) },
    { label: t('nav.reference'), group: t('palette.more'), run: go(paths.reference()) },
    ...(['light', 'dark', 'auto'] as const).map((theme) => ({
      label: t(`theme.${theme}`),
      group: t('palette.look'),
      run: () => chooseTheme(theme),
    })),
    ...languages.map((language) => ({
      label: t(`language.${language}`),
      group: t('shell.language'),
      words: languageWords[language],
      run: () => void changeLanguage(language),
    })),
    ...texts.map(([label, to]) => ({ id: to, label, group: t('nav.help'), run: go(to) })),
    { label: t('account.signOut'), group: t('palette.account'), run: () => void authStore().getState().signOut() },
  ]
}
