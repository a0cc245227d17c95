import { IconShare3 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo, useCallback, useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type To, useParams } from 'react-router'
import { ChannelFilter, channels } from '#contract/areas/channels/channels.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { paths } from '#src/lib/paths.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { AddedNote } from '#src/areas/channels/add/added-note.tsx'
import styles from '#src/areas/channels/channels.module.css'
import { Quota } from '#src/areas/channels/add/quota.tsx'
import { isNarrow, nameMax, pageSize, readView, searchOf, type View, writeView } from '#src/areas/channels/view.ts'
import type { Channel, PlatformType } from '#contract/entities/channel.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { Pager } from '#src/components/pager.tsx'
import { formatNumber } from '#src/lib/format.ts'
import type { Air } from '#src/lib/health.ts'
import { useAir } from '#src/components/use-status.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { BulkBar } from '#src/areas/channels/bulk/bulk-bar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { stateOf } from '#src/areas/channels/channel-state.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { TestButton } from '#src/areas/channels/detail/test-button.tsx'
import { useSwitch } from '#src/areas/channels/use-switch.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'

interface ListToolsProps {
  readonly view: View
  /** Platforms of the project's channels. */
  readonly platforms: readonly { readonly type: PlatformType; readonly title: string }[]
  readonly onChange: (change: Partial<View>) => void
}

/** Debounce before a search request, milliseconds. */
const restMs = 250

/** Search and filters of the list. */
function ListTools({ view, platforms, onChange }: ListToolsProps) {
  const { t } = useTranslation('channels')
  const [text, setText] = useState(view.name)
  // The URL may change without typing: Back, or a cleared filter.
  const [seen, setSeen] = useState(view.name)
  if (seen !== view.name) {
    setSeen(view.name)
    setText(view.name)
  }
  // Reads the latest filters, which may change during the debounce.
  const search = useEffectEvent(() => onChange({ name: text }))
  useEffect(() => {
    if (text === view.name) return undefined
    const timer = setTimeout(() => search(), restMs)
    return () => clearTimeout(timer)
  }, [text, view.name])

  return (
    <Toolbar label={t('tools.label')}>
      <SearchField
        label={t('tools.search')}
        title={t('tools.searchRule', { count: nameMax })}
        value={text}
        maxLength={nameMax}
        onChange={setText}
      />
      <FilterField
        label={t('tools.platform')}
        value={view.platform}
        choices={[
          { value: '', label: t('tools.anyPlatform') },
          ...platforms.map(({ type, title }) => ({ value: type, label: title })),
        ]}
        onChange={(platform) => onChange({ platform })}
      />
      <FilterField
        label={t('tools.which')}
        value={view.which === 'all' ? '' : view.which}
        choices={ChannelFilter.options.map((which) => ({
          value: which === 'all' ? '' : which,
          label: t(`which.${which}`),
        }))}
        onChange={(value) => onChange({ which: value === '' ? 'all' : ChannelFilter.parse(value) })}
      />
    </Toolbar>
  )
}

interface ChannelRowProps extends Air {
  readonly projectId: number
  readonly channel: Channel
  readonly isChosen: boolean
  readonly onChoose: (channelId: number, isChosen: boolean) => void
}

/** One channel: destination, state and switch. */
const ChannelRow = memo(function ChannelRow({ projectId, channel, isChosen, onChoose, ...air }: ChannelRowProps) {
  const { t } = useTranslation('channels')
  const { group_id: id, name, type, platform, account, active } = channel
  const state = stateOf(channel, air)
  const write = useSwitch(projectId)
  const canTest = state.name === 'untested' || state.name === 'failed'
  const mayEdit = rightCan(channel.access_type, 'editor')
  const off = mayEdit ? undefined : t('row.viewer')
  const about = [
    platform.title,
    account ? account.name : t('row.byKey'),
    channel.usageType === 1 && t('row.shared'),
    channel.guestsNum > 0 && t('row.guests', { count: channel.guestsNum }),
    Boolean(channel.delay) && t('row.delay', { seconds: channel.delay }),
  ]
  return (
    <li className={styles.row} data-on={active || undefined}>
      <label className={styles.choose}>
        <Checkbox
          checked={isChosen}
          disabled={!mayEdit}
          aria-label={t('row.choose', { name })}
          onChange={(event) => onChoose(id, event.currentTarget.checked)}
        />
      </label>
      <PlatformIcon type={type} />
      <div className={styles.words}>
        <Link className={styles.name} to={paths.channel(projectId, id)}>
          {name}
        </Link>
        <p className={styles.about}>{about.filter(Boolean).join(' · ')}</p>
      </div>
      <Badge tone={state.tone}>{t(`state.${state.name}`)}</Badge>
      {mayEdit && canTest && <TestButton projectId={projectId} channel={channel} />}
      <Switch
        label={t('row.switch', { name })}
        isLabelHidden
        isOn={active}
        isBusy={write.isPending}
        off={off}
        onChange={(status) => write.mutate({ channel_id: id, status, project_id: projectId })}
      />
      {state.name === 'failed' && <p className={styles.failed}>{t(`test.${channel.test?.reason ?? ''}`)}</p>}
      <div role="alert" className={styles.refused}>
        {write.error && (
          <p>
            {t(write.variables.status ? 'row.stayedOff' : 'row.stayedOn', { name })}{' '}
            <Refusal projectId={projectId} error={write.error} />
          </p>
        )}
      </div>
    </li>
  )
})

interface ChannelListProps {
  readonly projectId: number
  readonly view: View
  /** Address of a page of the list. */
  readonly to: (page: number) => To
  readonly found: readonly Channel[]
  readonly total: number
}

/** Matching channels, the selection and its actions. The selection spans pages. */
function ChannelList({ projectId, view, to, found, total }: ChannelListProps) {
  const { t } = useTranslation('channels')
  const language = useLanguage()
  const air = useAir(projectId)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const choose = useCallback(
    (channelId: number, isChosen: boolean) =>
      setChosen((now) => {
        const next = new Set(now)
        if (isChosen) next.add(channelId)
        else next.delete(channelId)
        return next
      }),
    [],
  )
  const mine = found.filter(({ access_type }) => rightCan(access_type, 'editor')).map(({ group_id }) => group_id)
  const chosenHere = mine.filter((id) => chosen.has(id)).length
  const isAll = mine.length > 0 && chosenHere === mine.length
  const choosePage = (isChosen: boolean) =>
    setChosen((now) => new Set([...[...now].filter((id) => !mine.includes(id)), ...(isChosen ? mine : [])]))

  return (
    <>
      <div className={styles.list}>
        <div className={styles.listHead}>
          <label className={styles.choose}>
            <Checkbox
              checked={isAll}
              disabled={mine.length === 0}
              isMixed={chosenHere > 0 && !isAll}
              aria-label={t('row.choosePage')}
              onChange={(event) => choosePage(event.currentTarget.checked)}
            />
          </label>
          <span aria-live="polite">{t('found', { count: total, total: formatNumber(total, language) })}</span>
          <Pager page={view.page} size={pageSize} total={total} to={to} />
        </div>
        <ul className={styles.rows}>
          {found.map((channel) => (
            <ChannelRow
              key={channel.group_id}
              projectId={projectId}
              channel={channel}
              isChosen={chosen.has(channel.group_id)}
              {...air}
              onChoose={choose}
            />
          ))}
        </ul>
      </div>
      <BulkBar projectId={projectId} view={view} total={total} chosen={chosen} onChoose={setChosen} />
    </>
  )
}

/** Paged list of the project's channels. */
export function ListPart() {
  const { t } = useTranslation('channels')
  const projectId = Number(useParams()['projectId'])
  const { view, change, reset, to } = useListView(readView, writeView)
  const list = useQuery({ ...q(channels.search, searchOf(projectId, view)), placeholderData: keepPreviousData })
  // Deferred as the content of QueryPart is: removed earlier, the filters would move its placeholder.
  const isNew = useDeferredValue(list.data?.total === 0 && !isNarrow(view))

  return (
    <section className={styles.part} aria-label={t('tab.list')}>
      <AddedNote projectId={projectId} />
      {!isNew && (
        <div className={styles.head}>
          <ListTools view={view} platforms={list.data?.platforms ?? []} onChange={change} />
          <Quota projectId={projectId} />
        </div>
      )}
      <QueryPart query={list} failed={t('failed')} skeleton={<ListSkeleton />}>
        {({ results, total }) =>
          results.length > 0 ? (
            <ChannelList key={projectId} projectId={projectId} view={view} to={to} found={results} total={total} />
          ) : isNew ? (
            <EmptyState
              icon={<IconShare3 size={26} />}
              title={t('empty.title')}
              action={
                <Link to={paths.channels(projectId, 'add')} className={buttonClass()}>
                  {t('empty.action')}
                </Link>
              }
            >
              {t('empty.text')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('nothing.title')}
              action={
                <Button look="outline" onClick={reset}>
                  {t('nothing.action')}
                </Button>
              }
            >
              {t('nothing.text')}
            </EmptyState>
          )
        }
      </QueryPart>
    </section>
  )
}

/** Placeholder of the list with rows of the same height. */
function ListSkeleton() {
  return (
    <div className={styles.list} aria-hidden>
      <div className={styles.listHead} />
      {['first', 'second', 'third', 'fourth'].map((line) => (
        <div key={line} className={styles.row}>
          <span className={styles.choose} />
          <Skeleton height={38} width={38} />
          <div className={styles.words}>
            <Skeleton height={16} width="12rem" />
          </div>
        </div>
      ))}
    </div>
  )
}
