import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Method, methods } from '#contract/areas/billing/methods.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ListCard } from './list-card.tsx'

/** Saved payment methods: the default one, and removal. */
export function MethodsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('billing-details', { keyPrefix: 'method' })
  const list = useQuery(q(methods.list, { project_id: projectId }))
  return (
    <ListCard
      title={t('title')}
      note={t('note')}
      query={list}
      failed={t('failed')}
      none={t('none')}
      row={(method) => <MethodRow key={method.method_id} projectId={projectId} method={method} />}
    />
  )
}

function MethodRow({ projectId, method }: { readonly projectId: number; readonly method: Method }) {
  const { t } = useTranslation('billing-details', { keyPrefix: 'method' })
  const why = useFailureText()
  const [isRemoving, setRemoving] = useState(false)
  const of = { project_id: projectId, method_id: method.method_id }
  const choose = useWrite(methods.setDefault)
  const remove = useWrite(methods.remove, { onSuccess: () => setRemoving(false) })
  const { title, expires, is_default: isDefault } = method
  return (
    <Row
      title={title}
      about={expires === null ? undefined : t('expires', { month: expires.slice(5), year: expires.slice(0, 4) })}
      actions={
        <>
          {isDefault ? (
            <Badge tone="ok">{t('default')}</Badge>
          ) : (
            <Button look="outline" isBusy={choose.isPending} onClick={() => choose.mutate(of)}>
              {t('choose')}
            </Button>
          )}
          <Button look="quiet" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        </>
      }
    >
      {isRemoving && (
        <ConfirmDialog
          title={t('removeTitle', { title })}
          confirm={t('remove')}
          keep={t('keep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && why(remove.error)}
          onConfirm={() => remove.mutate(of)}
          onClose={() => setRemoving(false)}
        >
          {t('removeText')}
        </ConfirmDialog>
      )}
    </Row>
  )
}
