// Entries of the command palette: every page, each tab of a page, and the common actions.
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { languages } from '#contract/core/codes.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { paths } from '#src/lib/paths.ts'
import { authStore } from '#src/stores/session.ts'
import { chooseTheme } from '#src/stores/theme.ts'
import type { Command } from './command.ts'
import { inFrame } from '#src/app/routes.tsx'
import { useAbsentPages } from '#src/stores/absent.ts'
import { useNavigation } from './navigation.ts'
import { listPlaces, type Place } from './places.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { articles } from '#contract/areas/help/articles.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { history } from '#contract/areas/notifications/history.ts'
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
function useActs(projectId: number, others: ReturnType<typeof useOtherLanguages>): readonly Command[] {
  const { t, ready } = useTranslation(['common', 'home', 'channels', 'notifications'], { useSuspense: false })
  const mayEdit = useMayEdit(projectId, false)
  const ofAir = useAirActs(projectId, others)
  const queries = useQueryClient()
  const list = useQuery(q(channels.search, { project_id: projectId, limit: 100 })).data
  const flip = useSwitch(projectId)
  const readAll = useWrite(history.setAllCabinetRead)
  if (!ready) return []

  const named = (key: string, group: string) => ({ label: t(key), group: t(group), words: others(key) })
  const copyKey = async () => {
    const { key } = await queries.fetchQuery(q(streamKeys.get, { project_id: projectId }))
    await copyText(key)
  }
  return [
    ...(mayEdit ? ofAir : []),
    ...(mayEdit ? [{ ...named('home:copy.key', 'nav.ingest'), act: copyKey }] : []),
    { ...named('notifications:list.readAll', 'nav.notifications'), act: () => readAll.mutateAsync({}) },
    ...(list?.results ?? [])
      .filter(({ access_type }) => mayEdit && roleCan(access_type, 'editor'))
      .map(({ group_id: channel_id, name, active }) => ({
        id: `switch ${channel_id}`,
        label: t(`channels:act.${active ? 'off' : 'on'}`, { name }),
        words: others(`channels:act.${active ? 'off' : 'on'}`, { name }),
        group: t('nav.channels'),
        act: () => flip.mutateAsync({ channel_id, status: !active, project_id: projectId }),
      })),
  ]
}

/** Actions for the running broadcast; empty while off air. */
function useAirActs(projectId: number, others: ReturnType<typeof useOtherLanguages>): readonly Command[] {
  const { t } = useTranslation(['common', 'home'], { useSuspense: false })
  const { data } = useStatus(projectId, everyMs)
  const [stop, pause, play, retry] = [
    useWrite(broadcasts.stop),
    useWrite(broadcasts.pause),
    useWrite(broadcasts.play),
    useWrite(broadcasts.retry),
  ]
  if (!data || data.kind === 'inactive') return []
  const group = t('onAir.on')
  const on = { project_id: projectId, broadcast_id: data.broadcast_id }
  const isPaused = data.action === 'stopped'
  const failing = isPaused ? [] : data.restreams.filter(({ state }) => state === 'backoff' || state === 'rejected')
  return [
    {
      label: t('home:stop.confirm'),
      words: others('home:stop.confirm'),
      group,
      act: () => stop.mutateAsync(on),
      ask: { title: t('home:stop.title'), text: t('home:stop.text'), keep: t('home:stop.keep') },
    },
    isPaused
      ? { label: t('home:pause.resume'), words: others('home:pause.resume'), group, act: () => play.mutateAsync(on) }
      : { label: t('home:pause.button'), words: others('home:pause.button'), group, act: () => pause.mutateAsync(on) },
    ...failing.flatMap(({ channel_id, name }) =>
      channel_id === undefined
        ? []
        : {
            id: `retry ${channel_id}`,
            label: t('home:channels.retryOne', { name }),
            words: others('home:channels.retryOne', { name }),
            group,
            act: () => retry.mutateAsync({ ...on, channel_id }),
          },
    ),
  ]
}

type ProjectId = number | string

/** Names of the languages in all of them. */
const languageWords = { en: 'eng английский 英语', ru: 'rus russian рус 俄语', cn: 'chinese zh китайский 中文' }

const namespaceOf = (key: string): string => (key.includes(':') ? (key.split(':')[0] ?? '') : 'common')

/**
 * Loads texts in the other languages, so that their words find entries too.
 * @returns a function that gives the text of a key in the other languages; empty until they have loaded
 */
function useOtherLanguages(
  namespaces: readonly string[],
): (key: string, values?: Readonly<Record<string, unknown>>) => string {
  const language = useLanguage()
  const { i18n } = useTranslation()
  const [loaded, setLoaded] = useState('')
  const wanted = namespaces.join(' ')
  const missing = `${language} ${wanted}`
  useEffect(() => {
    let isGone = false
    const others = languages.filter((one) => one !== language)
    const done = () => isGone || setLoaded(`${language} ${wanted}`)
    i18n.reloadResources(others, wanted.split(' ')).then(done, () => undefined)
    return () => {
      isGone = true
    }
  }, [i18n, language, wanted])
  const texts = languages.filter((one) => one !== language).map((one) => i18n.getFixedT(one))
  return (key, values = {}) => (loaded === missing ? texts.map((text) => text(key, values)).join(' ') : '')
}

/** Tabs of the operator's desk, with the keys of their names; empty for other users. */
function useDesk(): readonly { readonly title: string; readonly to: string }[] {
  const { isOperator, hasPlans } = useInstallation()
  const { ready } = useTranslation(isOperator ? 'operator' : 'common', { useSuspense: false })
  if (!isOperator || !ready) return []
  return tabs
    .filter(({ needs }) => !needs || hasPlans)
    .map(({ key, path }) => ({ title: `operator:${key}.title`, to: paths.operator(path) }))
}

/** Articles of the handbook in the language of the user, and their titles in the other ones. */
function useArticles(): readonly { readonly label: string; readonly words: string; readonly to: string }[] {
  const language = useLanguage()
  const { data } = useQuery({ ...q(articles.structure, {}), staleTime: Infinity, retry: false })
  return (data?.result ?? [])
    .flatMap(({ connections = [] }) => connections)
    .map(({ url_inherit, title }) => ({
      label: titleIn(title, language),
      words: title.map(({ value }) => value).join(' '),
      to: `/help/${url_inherit}`,
    }))
}

/** All entries in their order. Entries with texts of an area appear when those texts have loaded. */
export function useCommands(projectId: ProjectId): readonly Command[] {
  const { t } = useTranslation()
  const places = useMemo(() => listPlaces(inFrame), [])
  const { hasPlans } = useInstallation()
  const desk = useDesk()
  const areas = useMemo(() => [...new Set(places.map(({ title }) => namespaceOf(title)))], [places])
  const { ready } = useTranslation(areas, { useSuspense: false })
  const others = useOtherLanguages([...areas, 'home', ...(desk.length > 0 ? ['operator'] : [])])
  const navigate = useNavigate()
  const entries = useNavigation()
  const isAbsent = useAbsentPages().has('notifications')
  const shown = new Set([...entries.map(({ key }) => `nav.${key}`), ...(isAbsent ? [] : ['nav.notifications'])])
  const isShown = ({ group, isWithoutPlans }: Place) =>
    (shown.has(group) || group.startsWith('palette.')) && !(isWithoutPlans && hasPlans)
  const acts = useActs(Number(projectId), others)
  const channelList = useQuery(q(channels.search, { project_id: Number(projectId), limit: 100 })).data?.results ?? []
  const texts = useArticles()
  const go = (to: string) => () => void navigate(to)
  const named = (key: string, group: string) => ({ label: t(key), group: t(group), words: others(key) })
  return [
    ...entries.map(({ key, to }) => ({
      ...named(`nav.${key}`, 'palette.pages'),
      words: [t(`palette.words.${key}`), others(`palette.words.${key}`), others(`nav.${key}`)].join(' '),
      run: go(to(projectId)),
    })),
    ...(ready ? places.filter(isShown) : []).map(({ title, group, to }) => ({
      ...named(title, group),
      id: title,
      run: go(to(projectId)),
    })),
    ...desk.map(({ title, to }) => ({ ...named(title, 'nav.operator'), id: to, run: go(to) })),
    ...channelList.map(({ group_id: id, name }) => ({
      id: `channel ${id}`,
      label: name,
      group: t('nav.channels'),
      run: go(paths.channel(projectId, id)),
    })),
    ...acts,
    { ...named('nav.reference', 'palette.more'), run: go(paths.reference()) },
    ...(['light', 'dark', 'auto'] as const).map((theme) => ({
      ...named(`theme.${theme}`, 'palette.look'),
      run: () => chooseTheme(theme),
    })),
    ...languages.map((language) => ({
      label: t(`language.${language}`),
      group: t('shell.language'),
      words: languageWords[language],
      run: () => void changeLanguage(language),
    })),
    ...texts.map(({ label, words, to }) => ({ id: to, label, words, group: t('nav.help'), run: go(to) })),
    { ...named('account.signOut', 'palette.account'), run: () => void authStore().getState().signOut() },
  ]
}
