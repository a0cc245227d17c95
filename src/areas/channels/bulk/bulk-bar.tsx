import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import { rightCan } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import styles from '#src/areas/channels/channels.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { searchOf, type View } from '#src/areas/channels/view.ts'

const BulkTextDialog = lazy(async () => ({ default: (await import('./bulk-text-dialog.tsx')).BulkTextDialog }))

interface Props {
  readonly projectId: number
  readonly view: View
  readonly total: number
  readonly chosen: ReadonlySet<number>
  readonly onChoose: (chosen: ReadonlySet<number>) => void
}

/** Toolbar with actions for all selected channels, fixed to the bottom of the page. */
export function BulkBar({ projectId, view, total, chosen, onChoose }: Props) {
  const { t } = useTranslation('channels')
  const [isWriting, setWriting] = useState(false)
  const write = useWrite(channels.bulkStatus)
  const { gather, isGathering } = useGather(projectId, view)
  const channelIds = [...chosen]
  const flip = (status: boolean) => write.mutate({ project_id: projectId, channel_ids: channelIds, status })
  if (chosen.size === 0) return null
  return (
    <section className={styles.bulk} aria-label={t('bulk.label')}>
      <div className={styles.bulkLine}>
        <strong>{t('bulk.chosen', { count: chosen.size })}</strong>
        {chosen.size < total && (
          <Button look="quiet" isBusy={isGathering} onClick={() => void gather().then(onChoose)}>
            {t('bulk.all', { count: total })}
          </Button>
        )}
        <span className={styles.bulkActs}>
          <Button look="outline" isBusy={write.isPending} onClick={() => flip(true)}>
            {t('bulk.on')}
          </Button>
          <Button look="outline" isOff={write.isPending} onClick={() => flip(false)}>
            {t('bulk.off')}
          </Button>
          <Button look="outline" onClick={() => setWriting(true)}>
            {t('bulk.text')}
          </Button>
          <Button
            look="quiet"
            onClick={() => {
              write.reset()
              onChoose(new Set())
            }}
          >
            {t('bulk.clear')}
          </Button>
        </span>
      </div>
      <div role="alert" className={styles.refused}>
        {write.error && (
          <p>
            {t('bulk.refused')} <Refusal projectId={projectId} error={write.error} />
          </p>
        )}
      </div>
      <output className="visually-hidden">
        {write.isSuccess && t(write.variables.status ? 'bulk.isOn' : 'bulk.isOff', { count: chosen.size })}
      </output>
      {isWriting && (
        <Suspense>
          <BulkTextDialog projectId={projectId} channelIds={channelIds} onClose={() => setWriting(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** Collects all editable channels of a view, page by page. */
function useGather(projectId: number, view: View) {
  const queries = useQueryClient()
  const [isGathering, setGathering] = useState(false)
  const gather = async (): Promise<ReadonlySet<number>> => {
    setGathering(true)
    const ids = new Set<number>()
    try {
      for (let page = 1, total = 1; (page - 1) * 100 < total; page++) {
        const found = await queries.fetchQuery(q(channels.search, searchOf(projectId, { ...view, page }, 100)))
        for (const { group_id: id, access_type: access } of found.results) if (rightCan(access, 'editor')) ids.add(id)
        ;({ total } = found)
      }
      return ids
    } finally {
      setGathering(false)
    }
  }
  return { gather, isGathering }
}
