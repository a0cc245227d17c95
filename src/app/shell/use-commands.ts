// Entries of the command palette: every page, each tab of a page, and the common actions.
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { paths, productLines } from '#src/lib/paths.ts'
import { authStore } from '#src/stores/session.ts'
import { chooseTheme } from '#src/stores/theme.ts'
import type { Command } from './command.ts'
import { useNavigation } from './navigation.ts'
import { useActs } from './use-acts.ts'

type ProjectId = number | string

/** The first product line is the page itself. */
const toLine = (projectId: ProjectId, line: (typeof productLines)[number]) =>
  paths.tariffs(projectId, line === 'restream' ? undefined : line)

/** Tabs and nested pages: titles, parents and paths. */
const behind: readonly (readonly [title: string, group: string, to: (projectId: ProjectId) => string])[] = [
  ['channels:add.title', 'nav.channels', (projectId) => paths.channels(projectId, 'add')],
  ['channels:tab.accounts', 'nav.channels', (projectId) => paths.channels(projectId, 'accounts')],
  ['channels:tab.shared', 'nav.channels', (projectId) => paths.channels(projectId, 'shared')],
  ['ingest:tab.pull', 'nav.ingest', (projectId) => paths.ingest(projectId, 'pull')],
  ['ingest:tab.servers', 'nav.ingest', (projectId) => paths.ingest(projectId, 'servers')],
  ['ingest:tab.transcoders', 'nav.ingest', (projectId) => paths.ingest(projectId, 'transcoders')],
  ...productLines.map(
    (line) => [`tariffs:line.${line}`, 'nav.tariffs', (projectId: ProjectId) => toLine(projectId, line)] as const,
  ),
  ...(['history', 'cards', 'payouts', 'referrals'] as const).map(
    (tab) => [`billing:tab.${tab}`, 'nav.billing', (projectId: ProjectId) => paths.billing(projectId, tab)] as const,
  ),
  ['projects:members.tab', 'nav.project', (projectId) => paths.project(projectId, 'members')],
  ['projects:history.title', 'nav.project', (projectId) => paths.project(projectId, 'history')],
  ['notifications:settings.title', 'nav.notifications', (projectId) => paths.notifications(projectId, 'settings')],
  ['notifications:webhooks.title', 'nav.notifications', (projectId) => paths.notifications(projectId, 'webhooks')],
  ['account:sessions.title', 'palette.account', () => paths.account('sessions')],
  ['account:signIn.title', 'palette.account', () => paths.account('socials')],
]

/** Areas with texts of `behind`. */
const areas = ['channels', 'ingest', 'tariffs', 'billing', 'projects', 'notifications', 'account']

/** All entries in their order. Entries with texts of an area appear when those texts have loaded. */
export function useCommands(projectId: ProjectId): readonly Command[] {
  const { t } = useTranslation()
  const { ready } = useTranslation(areas, { useSuspense: false })
  const navigate = useNavigate()
  const navigation = useNavigation()
  const pages = new Set(navigation.flatMap(({ entries }) => entries.map(({ key }) => `nav.${key}`)))
  const acts = useActs(Number(projectId))
  const go = (to: string) => () => void navigate(to)
  return [
    ...navigation.flatMap((group) =>
      group.entries.map(({ key, to }) => ({
        label: t(`nav.${key}`),
        group: t(`nav.${group.key}`),
        run: go(to(projectId)),
      })),
    ),
    ...(ready ? behind.filter(([, group]) => !group.startsWith('nav.') || pages.has(group)) : []).map(
      ([title, group, to]) => ({
        label: t(title),
        group: t(group),
        run: go(to(projectId)),
      }),
    ),
    ...acts,
    { label: t('account.profile'), group: t('palette.account'), run: go(paths.account()) },
    { label: t('nav.help'), group: t('palette.more'), run: go(paths.help()) },
    { label: t('nav.reference'), group: t('palette.more'), run: go(paths.reference()) },
    ...(['light', 'dark', 'auto'] as const).map((theme) => ({
      label: t(`theme.${theme}`),
      group: t('palette.look'),
      run: () => chooseTheme(theme),
    })),
    ...languages.map((language) => ({
      label: t(`language.${language}`),
      group: t('shell.language'),
      run: () => void changeLanguage(language),
    })),
    { label: t('account.signOut'), group: t('palette.account'), run: () => void authStore().getState().signOut() },
  ]
}
