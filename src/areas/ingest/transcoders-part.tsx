import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './ingest.module.css'
import { TranscoderForm } from './transcoder-form.tsx'
import { TranscoderRow } from './transcoder-row.tsx'

/** Refetch interval in milliseconds: shorter while a transcoder runs. */
const everyMs = (results: readonly Transcoder[] = []) => (results.some(({ state }) => state) ? 5_000 : 30_000)

/** Transcoders of the project: output, channels and state. */
export function TranscodersPart() {
  const { t } = useTranslation('ingest')
  const projectId = Number(useParams()['projectId'])
  const mayEdit = useMayEdit(projectId)
  const list = useQuery({
    ...q(transcoders.list, { project_id: projectId }),
    refetchInterval: ({ state }) => everyMs(state.data?.results),
  })
  const [form, setForm] = useState<{ readonly of: Transcoder | null } | null>(null)
  const { results = [], limit, codecs = ['h264'], reason } = list.data ?? {}
  const isFull = limit !== undefined && results.length >= limit
  return (
    <Card
      title={t('transcoders.title')}
      note={t('transcoders.note')}
      actions={
        list.data &&
        mayEdit && (
          <Button
            look="outline"
            isOff={isFull}
            aria-describedby="transcoder-limit"
            onClick={() => setForm({ of: null })}
          >
            <IconPlus size={18} aria-hidden />
            {t('transcoders.create')}
          </Button>
        )
      }
    >
      <QueryPart query={list} failed={t('transcoders.failed')} skeleton={<Skeleton height={120} />}>
        {(data) => (
          <div className={styles.list}>
            {reason && <p className={styles.warning}>{t(`transcoders.none.${reason}`)}</p>}
            {limit !== undefined && (
              <p id="transcoder-limit" className={styles.hint}>
                {t(isFull ? 'transcoders.full' : 'transcoders.count', { used: results.length, limit })}
              </p>
            )}
            {data.results.length === 0 ? (
              <EmptyState title={t('transcoders.empty')}>
                <p>{t('transcoders.emptyText')}</p>
              </EmptyState>
            ) : (
              <RowList label={t('transcoders.title')}>
                {data.results.map((one) => (
                  <TranscoderRow
                    key={one.id}
                    projectId={projectId}
                    transcoder={one}
                    mayEdit={mayEdit}
                    onEdit={() => setForm({ of: one })}
                  />
                ))}
              </RowList>
            )}
          </div>
        )}
      </QueryPart>
      <HelpLinkLater article="stream/transcoders" />
      {form && (
        <TranscoderForm projectId={projectId} transcoder={form.of} codecs={codecs} onClose={() => setForm(null)} />
      )}
    </Card>
  )
}
