import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Webhook, webhooks } from '#contract/areas/notifications/webhooks.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { NewSecret } from './new-secret.tsx'
import styles from './notifications.module.css'

interface Props {
  readonly projectId: number
  readonly webhook: Webhook
}

type Question = 'rotate' | 'remove'

/** One webhook: switch, new secret, removal, and its last attempts. */
export function WebhookItem({ projectId, webhook }: Props) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const [question, setQuestion] = useState<Question | null>(null)
  const [isLogOpen, setLogOpen] = useState(false)
  const input = { project_id: projectId, webhook_id: webhook.webhook_id }
  const update = useWrite(webhooks.update)
  const close = () => setQuestion(null)
  const rotate = useWrite(webhooks.rotate, { onSuccess: close })
  const remove = useWrite(webhooks.del, { onSuccess: close })
  const asked = question === 'remove' ? remove : rotate
  const { url, is_on: isOn, date_failing: failing } = webhook
  return (
    <Row
      title={<span className={styles.address}>{url}</span>}
      about={
        failing ? (
          <>
            <Badge tone="warn">{t(isOn ? 'webhooks.failing' : 'webhooks.stopped')}</Badge> <DateStamp iso={failing} />
          </>
        ) : (
          <DateStamp iso={webhook.date_create} />
        )
      }
      actions={
        <>
          <Switch
            label={t('webhooks.switch', { url })}
            isLabelHidden
            isOn={update.isPending ? update.variables.is_on : isOn}
            isBusy={update.isPending}
            onChange={(on) => update.mutate({ ...input, is_on: on })}
          />
          <Button look="outline" aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>
            {t('webhooks.log')}
          </Button>
          {webhook.program === null && (
            <Button look="outline" onClick={() => setQuestion('rotate')}>
              {t('webhooks.rotate')}
            </Button>
          )}
          <Button look="outline" onClick={() => setQuestion('remove')}>
            {t('webhooks.remove')}
          </Button>
        </>
      }
    >
      {webhook.program !== null && <p className={styles.hint}>{t('webhooks.ofProgram', { name: webhook.program })}</p>}
      {update.error && <p role="alert">{why(update.error)}</p>}
      {rotate.data && <NewSecret secret={rotate.data.secret} />}
      {isLogOpen && <Attempts input={input} />}
      {question && (
        <ConfirmDialog
          title={t(`webhooks.${question}Title`)}
          confirm={t(`webhooks.${question}`)}
          keep={t('webhooks.keep')}
          isDanger={question === 'remove'}
          isBusy={asked.isPending}
          problem={asked.error && why(asked.error)}
          onConfirm={() => asked.mutate(input)}
          onClose={close}
        >
          {t(`webhooks.${question}Text`, { url })}
        </ConfirmDialog>
      )}
    </Row>
  )
}

interface AttemptsProps {
  readonly input: { readonly project_id: number; readonly webhook_id: number }
}

function Attempts({ input }: AttemptsProps) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const list = useQuery(q(webhooks.attempts, input))
  const resend = useWrite(webhooks.resend)
  return (
    <QueryPart query={list} failed={t('webhooks.logFailed')} skeleton={<Skeleton height={120} />}>
      {({ results }) =>
        results.length === 0 ? (
          <p className={styles.hint}>{t('webhooks.logEmpty')}</p>
        ) : (
          <>
            <RowList label={t('webhooks.log')}>
              {results.map(({ message_id: id, name, status, result, date }) => (
                <Row
                  key={`${id} ${date}`}
                  title={name}
                  about={
                    <>
                      <Badge tone={result === 'sent' ? 'ok' : 'warn'}>{t(`webhooks.result.${result}`)}</Badge>{' '}
                      {status !== null && t('webhooks.status', { status })} <DateStamp iso={date} />
                    </>
                  }
                  actions={
                    <Button
                      look="outline"
                      isBusy={resend.isPending && resend.variables.message_id === id}
                      aria-label={t('webhooks.resendOne', { name })}
                      onClick={() => resend.mutate({ ...input, message_id: id })}
                    >
                      {t('webhooks.resend')}
                    </Button>
                  }
                />
              ))}
            </RowList>
            {resend.error && <p role="alert">{why(resend.error)}</p>}
          </>
        )
      }
    </QueryPart>
  )
}
