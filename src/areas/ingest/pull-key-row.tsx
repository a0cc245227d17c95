import { IconPencil, IconPlugConnected, IconQrcode, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { useWrite } from '#src/api/query.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { pullNameMax } from './create-pull-key.tsx'
import type { Output } from '#contract/core/operation.ts'

const AddressQr = lazy(async () => ({ default: (await import('./qr-dialog.tsx')).AddressQr }))

const tones: Readonly<Record<PullKey['status'], Tone>> = { active: 'ok', inactive: 'neutral', error: 'warn' }

interface Props {
  readonly projectId: number
  readonly pullKey: PullKey
  readonly isMasked: boolean
  readonly regions: readonly string[]
  /** Set when at least one server supports pulling. */
  readonly hasServers: boolean
}

/** One pull key: address and actions. */
export function PullKeyRow({ projectId, pullKey, isMasked, regions, hasServers }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const language = useLanguage()
  const [open, setOpen] = useState<'rename' | 'remove' | 'qr' | null>(null)
  const { uuid, name, transport, status, region = '', shareUrl, viewers = 0, bitrate = 0 } = pullKey
  const input = { project_id: projectId, key: uuid }
  const title = name || t('pull.unnamed', { end: uuid.slice(-4) })
  const remove = useWrite(pullKeys.remove, { onSuccess: () => setOpen(null) })
  const update = useWrite(pullKeys.update)
  // A mutation instead of a query, because a query key would contain the secret.
  const queries = useQueryClient()
  const check = useMutation({ mutationFn: () => call(pullKeys.check, input, { sessionId: sessionOf(queries) }) })
  return (
    <Row
      title={title}
      about={
        viewers > 0
          ? t('pull.fetching', { count: viewers, kbps: formatNumber(bitrate, language) })
          : t(`pull.about.${transport}`)
      }
      actions={
        <>
          <Badge>{transport.toUpperCase()}</Badge>
          <Badge tone={tones[status]}>{t(`pull.status.${status}`)}</Badge>
          {!isMasked && (
            <span className={styles.icons}>
              <IconButton label={t('pull.rename', { title })} onClick={() => setOpen('rename')}>
                <IconPencil size={18} aria-hidden />
              </IconButton>
              <IconButton label={t('pull.remove', { title })} onClick={() => setOpen('remove')}>
                <IconTrash size={18} aria-hidden />
              </IconButton>
            </span>
          )}
        </>
      }
    >
      {!isMasked && (
        <div className={styles.inRow}>
          <PullAddress pullKey={pullKey} hasServers={hasServers} />
          {(regions.length > 1 || region !== '') && (
            <SelectField
              label={t('pull.region')}
              value={update.isPending ? (update.variables.region ?? region) : region}
              choices={[
                { value: '', label: t('pull.anyRegion') },
                ...[...new Set([...regions, region].filter(Boolean))].map((value) => ({ value, label: value })),
              ]}
              onChange={(value) => update.mutate({ ...input, region: value })}
            />
          )}
          <div className={styles.buttons}>
            <Button look="outline" isBusy={check.isPending} onClick={() => check.mutate()}>
              <IconPlugConnected size={18} aria-hidden />
              {t('pull.check')}
            </Button>
            {shareUrl !== '' && transport === 'hls' && (
              <Button look="outline" onClick={() => setOpen('qr')}>
                <IconQrcode size={18} aria-hidden />
                {t('pull.qr')}
              </Button>
            )}
            <Note tone={check.error || update.error ? 'live' : 'neutral'}>{outcome()}</Note>
          </div>
        </div>
      )}
      {open === 'qr' && (
        <Suspense>
          <AddressQr address={shareUrl} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'rename' && <RenamePullKey projectId={projectId} pullKey={pullKey} onClose={() => setOpen(null)} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('pull.removeTitle', { title })}
          confirm={t('pull.removeConfirm')}
          keep={t('pull.removeKeep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && t('pull.notRemoved', { why: why(remove.error) })}
          onConfirm={() => remove.mutate(input)}
          onClose={() => setOpen(null)}
        >
          <p>{t('pull.removeText')}</p>
        </ConfirmDialog>
      )}
    </Row>
  )

  function outcome(): string | undefined {
    const error = check.error ?? update.error
    if (error) return t('pull.notDone', { why: why(error) })
    return check.data && t(`pull.checked.${check.data.status}`)
  }
}

/** Pull address; without a server, the key and the reason. */
function PullAddress({ pullKey, hasServers }: Pick<Props, 'pullKey' | 'hasServers'>) {
  const { t } = useTranslation('ingest')
  const { copy } = useIngestWords()
  const { shareUrl, uuid, transport } = pullKey
  const label = t(shareUrl ? 'pull.address' : 'pull.key')
  return (
    <>
      <SecretField label={label} value={shareUrl || uuid} words={{ show: t('key.show'), copy: copy(label) }} />
      {shareUrl === '' && (
        <p className={styles.hint}>{t(hasServers ? `pull.missing.${transport}` : 'pull.noAddress')}</p>
      )}
    </>
  )
}

interface RenamePullKeyProps {
  readonly projectId: number
  readonly pullKey: PullKey
  readonly onClose: () => void
}

/** Dialog that renames a pull key. The key itself does not change. */
function RenamePullKey({ projectId, pullKey, onClose }: RenamePullKeyProps) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const form = useWriteForm({
    op: pullKeys.update,
    values: { name: pullKey.name },
    inputOf: ({ name }) => ({ project_id: projectId, key: pullKey.uuid, name: name.trim() }),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t('pull.renameTitle')} onClose={onClose}>
      <DialogForm
        problem={form.problem && t('pull.notDone', { why: why(form.problem) })}
        cancel={t('cancel')}
        submit={t('pull.save')}
        isBusy={form.isBusy}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <TextField label={t('pull.name')} limit={pullNameMax} {...form.field('name')} />
      </DialogForm>
    </Dialog>
  )
}

// Pull key as listed for a project.

type PullKey = Output<typeof pullKeys.list>['results'][number]
