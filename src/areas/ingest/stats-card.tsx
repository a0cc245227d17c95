import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { keyOf, q, useWrite } from '#src/api/query.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

const room = <Skeleton height={90} />

/** Address of the encoder statistics for programs that switch scenes by them. For editors. */
export function StatsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={t('stats.title')} note={t('stats.note')}>
      <Deferred room={room}>
        <Address projectId={projectId} />
      </Deferred>
      <div className={styles.buttons}>
        <Button look="outline" onClick={() => setOpen(true)}>
          <IconRefresh size={18} aria-hidden />
          {t('stats.replace')}
        </Button>
      </div>
      <HelpLinkLater article="start/noalbs" />
      {isOpen && <ReplaceDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function Address({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  const stats = useQuery(q(streamKeys.stats, { project_id: projectId }))
  return (
    <QueryPart query={stats} failed={t('stats.failed')} skeleton={room}>
      {({ url }) => (
        <SecretField
          label={t('stats.label')}
          hint={t('stats.hint')}
          value={url}
          words={{ show: t('stats.show'), copy: words.copy(t('stats.label')) }}
        />
      )}
    </QueryPart>
  )
}

function ReplaceDialog({ projectId, onClose }: { readonly projectId: number; readonly onClose: () => void }) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const queries = useQueryClient()
  const replace = useWrite(streamKeys.rotateStats, {
    onSuccess: (address) => {
      queries.setQueryData(keyOf(streamKeys.stats, { project_id: projectId }), address)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('stats.replaceTitle')}
      confirm={t('stats.replace')}
      keep={t('rotate.keep')}
      isDanger
      isBusy={replace.isPending}
      problem={replace.error && t('stats.notReplaced', { why: why(replace.error) })}
      onConfirm={() => replace.mutate({ project_id: projectId })}
      onClose={onClose}
    >
      <p>{t('stats.replaceText')}</p>
    </ConfirmDialog>
  )
}
