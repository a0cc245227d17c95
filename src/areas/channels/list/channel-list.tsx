import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { To } from 'react-router'
import type { Channel } from '#contract/entities/channel.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { Pager } from '#src/components/pager.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useIsPaused } from '#src/components/use-status.ts'
import { BulkBar } from '#src/areas/channels/bulk/bulk-bar.tsx'
import styles from '#src/areas/channels/channels.module.css'
import { ChannelRow } from './channel-row.tsx'
import { pageSize, type View } from '#src/areas/channels/view.ts'

interface Props {
  readonly projectId: number
  readonly view: View
  /** Address of a page of the list. */
  readonly to: (page: number) => To
  readonly found: readonly Channel[]
  readonly total: number
}

/** Matching channels, the selection and its actions. The selection spans pages. */
export function ChannelList({ projectId, view, to, found, total }: Props) {
  const { t } = useTranslation('channels')
  const language = useLanguage()
  const isPaused = useIsPaused(projectId)
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
            <input
              type="checkbox"
              checked={isAll}
              disabled={mine.length === 0}
              ref={(box) => {
                if (box) box.indeterminate = chosenHere > 0 && !isAll
              }}
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
              isPaused={isPaused}
              onChoose={choose}
            />
          ))}
        </ul>
      </div>
      <BulkBar projectId={projectId} view={view} total={total} chosen={chosen} onChoose={setChosen} />
    </>
  )
}
