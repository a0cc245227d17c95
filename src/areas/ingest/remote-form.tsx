import { IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type RemoteSource, remoteSource } from '#contract/areas/ingest/remote-source.ts'
import { remoteAddressMax, type RemoteState } from '#contract/entities/remote-source.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './ingest.module.css'
import { remoteHeight } from './remote-card.tsx'
import { useIngestWords } from './use-ingest-words.ts'

const tones: Readonly<Record<RemoteState, Tone>> = {
  off: 'neutral',
  waiting: 'warn',
  connecting: 'accent',
  live: 'ok',
  failed: 'warn',
}

/** While it is on, its state is read again each so many milliseconds. */
const readMs = 3_000

/** Address and state of a stream that a server fetches. */
export function RemoteForm({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  const source = useQuery({
    ...q(remoteSource.get, { project_id: projectId }),
    refetchInterval: ({ state: { data } }) => data?.is_on === true && readMs,
  })
  return (
    <QueryPart query={source} failed={t('remote.failed')} skeleton={<Skeleton height={remoteHeight} />}>
      {(data) =>
        data.is_on ? (
          <Running projectId={projectId} source={data} />
        ) : (
          <>
            {data.address !== '' && <Stored projectId={projectId} source={data} />}
            <AddressForm projectId={projectId} />
          </>
        )
      }
    </QueryPart>
  )
}

interface Props {
  readonly projectId: number
  readonly source: RemoteSource
}

function Running({ projectId, source: { address, state, words } }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const stop = useWrite(remoteSource.stop)
  return (
    <>
      <p>
        {address} <Badge tone={tones[state]}>{t(`remote.state.${state}`)}</Badge>
      </p>
      {state === 'waiting' && <p className={styles.hint}>{t('remote.waitingHint')}</p>}
      {state === 'failed' && words !== '' && <p className={styles.hint}>{t('remote.words', { words })}</p>}
      <div className={styles.buttons}>
        <Button look="outline" isBusy={stop.isPending} onClick={() => stop.mutate({ project_id: projectId })}>
          <IconPlayerStop size={18} aria-hidden />
          {t('remote.stop')}
        </Button>
      </div>
      <Note tone="live">{stop.error && t('remote.notDone', { why: why(stop.error) })}</Note>
    </>
  )
}

/** The address of the last time. */
function Stored({ projectId, source: { address } }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const start = useWrite(remoteSource.start)
  const remove = useWrite(remoteSource.remove)
  const input = { project_id: projectId }
  const error = start.error ?? remove.error
  return (
    <>
      <p>{address}</p>
      <div className={styles.buttons}>
        <Button look="outline" isBusy={start.isPending} onClick={() => start.mutate(input)}>
          <IconPlayerPlay size={18} aria-hidden />
          {t('remote.again')}
        </Button>
        <Button look="outline" isBusy={remove.isPending} onClick={() => remove.mutate(input)}>
          <IconTrash size={18} aria-hidden />
          {t('remote.remove')}
        </Button>
      </div>
      <Note tone="live">{error && t('remote.notDone', { why: why(error) })}</Note>
    </>
  )
}

function AddressForm({ projectId }: Pick<Props, 'projectId'>) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const form = useWriteForm({
    op: remoteSource.start,
    values: { url: '' },
    inputOf: ({ url }) => ({ project_id: projectId, url: url.trim() }),
    rules: ({ url }) => ({ url: url.trim() === '' ? t('remote.rule') : undefined }),
    refusals: { RemoteAddress: 'url' },
    next: () => ({ url: '' }),
  })
  return (
    <form noValidate onSubmit={form.submit} className={styles.setting}>
      <TextField
        label={t('remote.label')}
        hint={t('remote.hint')}
        maxLength={remoteAddressMax}
        autoComplete="off"
        spellCheck={false}
        {...form.field('url')}
      />
      <div className={styles.buttons}>
        <Button type="submit" isBusy={form.isBusy} isOff={!form.isDirty}>
          {t('remote.start')}
        </Button>
      </div>
      <Note tone="live">{form.problem && t('remote.notDone', { why: why(form.problem) })}</Note>
    </form>
  )
}
