import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apps, type RegisteredApp } from '#contract/areas/account/apps.ts'
import { q, useWrite } from '#src/api/query.ts'
import { AppRow } from '#src/components/app-row.tsx'
import { ConnectedApps } from '#src/components/connected-apps.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'

const AppDialog = lazy(async () => ({ default: (await import('./app-dialog.tsx')).AppDialog }))
const AppKeys = lazy(async () => ({ default: (await import('./app-keys.tsx')).AppKeys }))

/** Apps that the user connected, and those that the user develops. */
export function AppsPart() {
  const { t } = useTranslation('apps', { keyPrefix: 'connected' })
  const query = useQuery(q(apps.connected, {}))
  const write = useWrite(apps.disconnect)
  return (
    <div className={styles.stack}>
      <ConnectedApps
        query={query}
        note={t('text')}
        placeOf={({ project }) => t('project', { name: project.name })}
        disconnect={{ ...write, mutate: ({ grant_id }, options) => write.mutate({ grant_id }, options) }}
      />
      <OwnApps />
    </div>
  )
}

/** Client id and secret of an app; null: an app without a secret. */
interface Keys {
  readonly name: string
  readonly clientId: string
  readonly secret: string | null
}

interface Question {
  readonly app: RegisteredApp
  readonly kind: 'askSecret' | 'askDelete'
}

function OwnApps() {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  const why = useFailureText('account')
  const query = useQuery(q(apps.list, {}))
  const [edited, setEdited] = useState<RegisteredApp | 'new' | null>(null)
  const [keys, setKeys] = useState<Keys | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  const secret = useWrite(apps.secret)
  const remove = useWrite(apps.remove, { onSuccess: close })
  const asked = question?.kind === 'askDelete' ? remove : secret
  const act = ({ app, kind }: Question) => {
    if (kind === 'askDelete') return remove.mutate({ app_id: app.id })
    secret.mutate(
      { app_id: app.id },
      {
        onSuccess: ({ client_secret }) => {
          close()
          setKeys({ name: app.name, clientId: app.client_id, secret: client_secret })
        },
      },
    )
  }
  return (
    <Card
      title={t('title')}
      note={t('text')}
      actions={
        <Button look="outline" onClick={() => setEdited('new')}>
          {t('add')}
        </Button>
      }
    >
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={80} />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className={styles.note}>{t('none')}</p>
          ) : (
            <RowList label={t('title')}>
              {results.map((app) => (
                <OwnRow
                  key={app.id}
                  app={app}
                  onEdit={() => setEdited(app)}
                  onAsk={(kind) => setQuestion({ app, kind })}
                />
              ))}
            </RowList>
          )
        }
      </QueryPart>
      <Suspense>
        {edited && (
          <AppDialog
            app={edited === 'new' ? null : edited}
            onCreated={({ name, client_id: clientId, client_secret }) => {
              setEdited(null)
              setKeys({ name, clientId, secret: client_secret })
            }}
            onClose={() => setEdited(null)}
          />
        )}
        {keys && <AppKeys {...keys} onClose={() => setKeys(null)} />}
      </Suspense>
      {question && (
        <ConfirmDialog
          title={t(`${question.kind}.title`, { name: question.app.name })}
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
    </Card>
  )
}

interface OwnRowProps {
  readonly app: RegisteredApp
  readonly onEdit: () => void
  readonly onAsk: (kind: Question['kind']) => void
}

function OwnRow({ app, onEdit, onAsk }: OwnRowProps) {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  const { name, client_id, is_public: isPublic, grants } = app
  return (
    <AppRow
      name={name}
      picture={app.picture}
      scopes={app.scopes}
      facts={
        <>
          <span>
            {t('clientId')} <code>{client_id}</code>
          </span>
          {isPublic && <span>{t('public')}</span>}
          <span>{t('count', { count: grants })}</span>
        </>
      }
      actions={
        <>
          <Button look="outline" aria-label={t('editOne', { name })} onClick={onEdit}>
            {t('edit')}
          </Button>
          {!isPublic && (
            <Button look="outline" aria-label={t('secretOne', { name })} onClick={() => onAsk('askSecret')}>
              {t('secret')}
            </Button>
          )}
          <Button look="outline" aria-label={t('deleteOne', { name })} onClick={() => onAsk('askDelete')}>
            {t('delete')}
          </Button>
        </>
      }
    />
  )
}
