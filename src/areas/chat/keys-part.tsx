import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chat } from '#contract/areas/chat/chat.ts'
import { keys } from '#contract/areas/chat/keys.ts'
import type { Output } from '#contract/core/operation.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDateTime } from '#src/lib/format.ts'
import {
  fadeSeconds,
  maxHoldS,
  overlayPath,
  overlaySizes,
  readOverlay,
  writeOverlay,
} from '#src/lib/overlay-settings.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './chat.module.css'

type KeyRow = Output<typeof keys.list>['results'][number]

/** Overlay and dock for OBS: their addresses, and the keys in them. */
export default function KeysPart({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('chat', { keyPrefix: 'keys' })
  const first = useQuery(q(chat.key, { project_id: projectId }))
  const list = useQuery(q(keys.list, { project_id: projectId }))
  const [added, setAdded] = useState<Output<typeof keys.add> | null>(null)
  return (
    <div className={styles.form}>
      <h2>{t('overlay')}</h2>
      <p className={styles.quiet}>{t('overlayText')}</p>
      <QueryPart query={first} failed={t('failed')} skeleton={<Skeleton height={200} />}>
        {({ key }) => <OverlayAddress chatKey={key} />}
      </QueryPart>
      <h2>{t('title')}</h2>
      <p className={styles.quiet}>{t('text')}</p>
      <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={120} />}>
        {({ results }) => <KeyList projectId={projectId} rows={results} />}
      </QueryPart>
      {added && (
        <section className={styles.form} aria-label={added.name}>
          <p>
            <strong>{t('once')}</strong>
          </p>
          {added.rights === 'write' ? (
            <Address label={t('dockAddress')} path={`${paths.chatDock()}#key=${added.key}`} />
          ) : (
            <OverlayAddress chatKey={added.key} />
          )}
        </section>
      )}
      <AddKey projectId={projectId} onAdded={setAdded} />
    </div>
  )
}

/** Address of the overlay with its settings. */
function OverlayAddress({ chatKey }: { readonly chatKey: string }) {
  const { t } = useTranslation('chat', { keyPrefix: 'keys' })
  const [settings, setSettings] = useState(() => readOverlay(''))
  const set = (change: Partial<typeof settings>) => setSettings((known) => ({ ...known, ...change }))
  const seconds = (count: number) => t('seconds', { count })
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label={t('size')}
          value={settings.size}
          choices={overlaySizes.map((value) => ({ value, label: t(`sizes.${value}`) }))}
          onChange={(size) => set({ size })}
        />
        <SelectField
          label={t('fade')}
          value={String(settings.fade)}
          choices={fadeSeconds.map((value) => ({
            value: String(value),
            label: value === 0 ? t('never') : seconds(value),
          }))}
          onChange={(value) => set({ fade: Number(value) })}
        />
      </div>
      <SelectField
        label={t('hold')}
        hint={t('holdHint')}
        value={settings.hold === null ? '' : String(settings.hold)}
        choices={[
          { value: '', label: t('holdProject') },
          ...Array.from({ length: maxHoldS + 1 }, (_, value) => ({
            value: String(value),
            label: value === 0 ? t('holdNone') : seconds(value),
          })),
        ]}
        onChange={(value) => set({ hold: value === '' ? null : Number(value) })}
      />
      <Switch label={t('marks')} isOn={settings.marks} onChange={(marks) => set({ marks })} />
      <Address label={t('address')} path={`${overlayPath}${writeOverlay({ ...settings, key: chatKey })}`} />
    </>
  )
}

function Address({ label, path }: { readonly label: string; readonly path: string }) {
  const { t } = useTranslation('chat', { keyPrefix: 'keys' })
  return (
    <SecretField
      label={label}
      value={`${location.origin}${path}`}
      words={{ show: t('show'), copy: { idle: t('copy'), copied: t('copied'), refused: t('copyRefused') } }}
    />
  )
}

function KeyList({ projectId, rows }: { readonly projectId: number; readonly rows: readonly KeyRow[] }) {
  const { t } = useTranslation('chat', { keyPrefix: 'keys' })
  const language = useLanguage()
  const why = useFailureText()
  const remove = useWrite(keys.remove, { onSuccess: () => setRevoking(null) })
  const [revoking, setRevoking] = useState<KeyRow | null>(null)
  /** The key of the overlay's address has no name of its own. */
  const nameOf = ({ name }: KeyRow) => name || t('first')
  if (rows.length === 0) return <p className={styles.quiet}>{t('none')}</p>
  return (
    <>
      <ul className={styles.people} aria-label={t('title')}>
        {rows.map((row) => (
          <li key={row.id} className={styles.keyRow}>
            <span>
              <strong>
                <bdi>{nameOf(row)}</bdi>
              </strong>{' '}
              <span className={styles.quiet}>
                {t(`rights.${row.rights}`)} · …{row.hint}
                {row.date_use && ` · ${t('used', { at: formatDateTime(row.date_use, language) })}`}
              </span>
            </span>
            <Button look="quiet" onClick={() => setRevoking(row)}>
              {t('revoke')}
              <span className="visually-hidden"> {nameOf(row)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title={t('revokeTitle', { name: nameOf(revoking) })}
          confirm={t('revoke')}
          keep={t('keep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && why(remove.error)}
          onConfirm={() => remove.mutate({ project_id: projectId, key_id: revoking.id })}
          onClose={() => setRevoking(null)}
        >
          <p>{t('revokeText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface AddProps {
  readonly projectId: number
  readonly onAdded: (key: Output<typeof keys.add>) => void
}

function AddKey({ projectId, onAdded }: AddProps) {
  const { t } = useTranslation('chat', { keyPrefix: 'keys' })
  const why = useFailureText()
  const form = useWriteForm({
    op: keys.add,
    values: { name: '', rights: 'read' as string },
    inputOf: ({ name, rights }) => ({
      project_id: projectId,
      name,
      rights: rights === 'write' ? ('write' as const) : ('read' as const),
    }),
    messages: { name: t('nameMissing') },
    next: () => ({ name: '', rights: 'read' }),
    onSuccess: onAdded,
  })
  return (
    <form noValidate className={styles.form} aria-label={t('add')} onSubmit={form.submit}>
      <div className={styles.pair}>
        <TextField label={t('name')} {...form.field('name')} />
        <SelectField
          label={t('right')}
          choices={[
            { value: 'read', label: t('rights.read') },
            { value: 'write', label: t('rights.write') },
          ]}
          {...form.field('rights')}
        />
      </div>
      <Button type="submit" look="outline" isBusy={form.isBusy}>
        {t('add')}
      </Button>
      <Note tone="live">{form.problem && why(form.problem)}</Note>
    </form>
  )
}
