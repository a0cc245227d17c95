import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiTokenDays, apiTokens } from '#contract/areas/account/api-tokens.ts'
import { type WidgetRow, widgets } from '#contract/areas/realtime/widgets.ts'
import { type WidgetKind, widgetKinds, widgetLimits } from '#contract/entities/widget-kinds.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { writeDockAddress, writeWidgetAddress } from '#src/lib/widget-address.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './chat.module.css'
import { WidgetEditor } from './widget-editor.tsx'

/** A token that was just made, which is shown once. */
interface Made {
  readonly kind: WidgetKind
  readonly name: string
  readonly templateId: string
  readonly token: string
}

interface Question {
  readonly row: WidgetRow
  readonly kind: 'askReplace' | 'askRemove'
}

/** Widgets of a project: pages for OBS and second screens, their settings and their addresses. */
export default function WidgetsPart({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('widgets')
  const list = useQuery(q(widgets.list, { project_id: projectId }))
  const [made, setMade] = useState<Made | null>(null)
  return (
    <div className={styles.form}>
      <h2>{t('title')}</h2>
      <p className={styles.quiet}>{t('text')}</p>
      <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={120} />}>
        {({ results }) => <WidgetList projectId={projectId} rows={results} onMade={setMade} />}
      </QueryPart>
      {made && <NewAddress made={made} />}
      <AddWidget projectId={projectId} onMade={setMade} />
      <DockAddress projectId={projectId} />
    </div>
  )
}

function NewAddress({ made }: { readonly made: Made }) {
  const { t } = useTranslation('widgets')
  return (
    <section className={styles.form} aria-label={made.name}>
      <p>
        <strong>{t('once')}</strong>
      </p>
      <SecretField
        label={t('address', { name: made.name })}
        value={`${location.origin}${writeWidgetAddress(made.kind, made)}`}
        words={{ show: t('show'), copy: { idle: t('copy'), copied: t('copied'), refused: t('copyRefused') } }}
      />
    </section>
  )
}

interface ListProps {
  readonly projectId: number
  readonly rows: readonly WidgetRow[]
  readonly onMade: (made: Made | null) => void
}

function WidgetList({ projectId, rows, onMade }: ListProps) {
  const { t } = useTranslation('widgets')
  const why = useFailureText()
  const [edited, setEdited] = useState<string | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  const replace = useWrite(widgets.token)
  const remove = useWrite(widgets.remove, { onSuccess: close })
  const asked = question?.kind === 'askRemove' ? remove : replace
  const act = ({ row, kind }: Question) => {
    const which = { project_id: projectId, template_id: row.template_id }
    if (kind === 'askRemove') return remove.mutate(which)
    replace.mutate(which, {
      onSuccess: ({ token }) => {
        close()
        onMade({ kind: row.kind, name: row.name, templateId: row.template_id, token })
      },
    })
  }
  if (rows.length === 0) return <p className={styles.quiet}>{t('none')}</p>
  return (
    <>
      <ul className={styles.people} aria-label={t('title')}>
        {rows.map((row) =>
          row.template_id === edited ? (
            <li key={row.template_id}>
              <WidgetEditor projectId={projectId} row={row} onClose={() => setEdited(null)} />
            </li>
          ) : (
            <Line
              key={row.template_id}
              row={row}
              onEdit={() => setEdited(row.template_id)}
              onAsk={(kind) => setQuestion({ row, kind })}
            />
          ),
        )}
      </ul>
      {question && (
        <ConfirmDialog
          title={t(`${question.kind}.title`, { name: question.row.name })}
          confirm={t(`${question.kind}.confirm`)}
          keep={t('cancel')}
          isDanger
          isBusy={asked.isPending}
          problem={asked.error && why(asked.error)}
          onConfirm={() => act(question)}
          onClose={close}
        >
          <p>{t(`${question.kind}.text`)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface LineProps {
  readonly row: WidgetRow
  readonly onEdit: () => void
  readonly onAsk: (kind: Question['kind']) => void
}

function Line({ row, onEdit, onAsk }: LineProps) {
  const { t } = useTranslation('widgets')
  const language = useLanguage()
  const { name, kind, hint, date_use: used, is_active: isActive } = row
  return (
    <li className={styles.keyRow}>
      <span>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span className={styles.quiet}>
          {t(`kinds.${kind}`)} · …{hint}
          {used && ` · ${t('used', { at: formatDateTime(used, language) })}`}
        </span>
        {!isActive && <Note tone="live">{t('ended')}</Note>}
      </span>
      <div className={styles.oneActs}>
        <Button look="quiet" onClick={onEdit}>
          {t('edit')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <Button look="quiet" onClick={() => onAsk('askReplace')}>
          {t('replace')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <Button look="quiet" onClick={() => onAsk('askRemove')}>
          {t('remove')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </li>
  )
}

/** Makes an API token for the dock, and shows its address once. */
function DockAddress({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('widgets')
  const why = useFailureText('account')
  const create = useWrite(apiTokens.create)
  return (
    <>
      <h2>{t('dock.title')}</h2>
      <p className={styles.quiet}>{t('dock.text')}</p>
      {create.data && (
        <section className={styles.form} aria-label={t('dock.title')}>
          <p>
            <strong>{t('dock.once')}</strong>
          </p>
          <SecretField
            label={t('dock.address')}
            value={`${location.origin}${writeDockAddress({ projectId, token: create.data.token })}`}
            words={{ show: t('show'), copy: { idle: t('copy'), copied: t('copied'), refused: t('copyRefused') } }}
          />
          <p className={styles.quiet}>{t('dock.end')}</p>
        </section>
      )}
      <Button
        look="outline"
        isBusy={create.isPending}
        onClick={() =>
          create.mutate({
            name: t('dock.usual'),
            scopes: ['control', 'broadcasts:read', 'channels:read'],
            project_id: projectId,
            days: apiTokenDays.max,
          })
        }
      >
        {t('dock.add')}
      </Button>
      <Note tone="live">{create.error && why(create.error)}</Note>
    </>
  )
}

const blank: { readonly name: string; readonly kind: WidgetKind } = { name: '', kind: 'counter' }

function AddWidget({ projectId, onMade }: Omit<ListProps, 'rows'>) {
  const { t } = useTranslation('widgets')
  const why = useFailureText()
  const form = useWriteForm({
    op: widgets.add,
    values: blank,
    inputOf: ({ name, kind }) => ({ project_id: projectId, name, kind }),
    messages: { name: t('nameMissing') },
    next: ({ kind }) => ({ name: '', kind }),
    onSuccess: ({ kind, name, template_id: templateId, token }) => onMade({ kind, name, templateId, token }),
  })
  return (
    <form noValidate className={styles.form} aria-label={t('add')} onSubmit={form.submit}>
      <div className={styles.pair}>
        <SelectField
          label={t('kind')}
          choices={widgetKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          {...form.field('kind')}
        />
        <TextField label={t('name')} maxLength={widgetLimits.name} {...form.field('name')} />
      </div>
      <Button type="submit" look="outline" isBusy={form.isBusy}>
        {t('add')}
      </Button>
      <Note tone="live">{form.problem && why(form.problem)}</Note>
    </form>
  )
}
