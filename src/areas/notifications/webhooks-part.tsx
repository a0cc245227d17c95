import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useIsOwner } from '#src/components/use-may-edit.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { NewSecret } from './new-secret.tsx'
import styles from './notifications.module.css'
import { WebhookItem } from './webhook-item.tsx'

/** Webhooks of the project: addresses that receive its facts, for owners. */
export function WebhooksPart() {
  const { t } = useTranslation('notifications')
  const projectId = Number(useParams()['projectId'])
  const isOwner = useIsOwner(projectId)
  const list = useQuery({ ...q(webhooks.list, { project_id: projectId }), enabled: isOwner === true })
  if (isOwner === false)
    return (
      <Card title={t('webhooks.title')} note={t('webhooks.note')}>
        <p>{t('webhooks.noRight')}</p>
      </Card>
    )
  return (
    <Card title={t('webhooks.title')} note={t('webhooks.note')}>
      <QueryPart query={list} failed={t('webhooks.failed')} skeleton={<Skeleton height={220} />}>
        {({ results, limit }) => (
          <>
            <RowList label={t('webhooks.title')}>
              {results.map((webhook) => (
                <WebhookItem key={webhook.webhook_id} projectId={projectId} webhook={webhook} />
              ))}
            </RowList>
            {results.filter(({ program }) => program === null).length < limit ? (
              <AddForm projectId={projectId} />
            ) : (
              <p className={styles.hint}>{t('webhooks.full', { count: limit })}</p>
            )}
          </>
        )}
      </QueryPart>
    </Card>
  )
}

function AddForm({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const form = useWriteForm({
    op: webhooks.add,
    area: 'notifications',
    values: { url: '' },
    inputOf: ({ url }) => ({ project_id: projectId, url: url.trim() }),
    messages: { url: t('webhooks.urlInvalid') },
    refusals: { AddressNotAllowed: 'url' },
    next: () => ({ url: '' }),
  })
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <TextField
        label={t('webhooks.url')}
        type="url"
        inputMode="url"
        placeholder="https://example.com/relaydeck"
        {...form.field('url')}
      />
      <div className={styles.actions}>
        <Button type="submit" isBusy={form.isBusy}>
          {t('webhooks.add')}
        </Button>
      </div>
      {form.output && <NewSecret secret={form.output.secret} />}
      <Note tone="live">{form.problem ? why(form.problem) : ''}</Note>
    </form>
  )
}
