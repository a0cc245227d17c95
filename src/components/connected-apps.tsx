import { type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectedApp } from '#contract/entities/connected-app.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './connected-apps.module.css'
import { AppRow } from './app-row.tsx'
import { DateStamp } from './date-stamp.tsx'
import { useFailureText } from './failure.tsx'
import { QueryPart } from './query-part.tsx'

interface Props {
  readonly query: UseQueryResult<{ readonly results: readonly ConnectedApp[] }>
  /** Sentence below the title, for the user or the project. */
  readonly note: string
  /** Place of a connection: its project, or its user. */
  readonly placeOf: (app: ConnectedApp) => ReactNode
  readonly disconnect: {
    readonly mutate: (app: ConnectedApp, options: { readonly onSuccess: () => void }) => void
    readonly isPending: boolean
    readonly error: Error | null
  }
}

/** Third-party apps that are connected to a user or a project, and the button that ends a connection. */
export function ConnectedApps({ query, note, placeOf, disconnect }: Props) {
  const { t } = useTranslation('apps', { keyPrefix: 'connected' })
  const why = useFailureText('account')
  const [asked, setAsked] = useState<ConnectedApp | null>(null)
  const [done, setDone] = useState('')
  const end = (app: ConnectedApp) =>
    disconnect.mutate(app, {
      onSuccess: () => {
        setDone(t('done', { name: app.name }))
        setAsked(null)
      },
    })
  return (
    <Card title={t('title')} note={note}>
      <Note tone="ok">{done}</Note>
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={80} />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className={styles.quiet}>{t('none')}</p>
          ) : (
            <RowList label={t('title')}>
              {results.map((app) => (
                <ConnectedRow key={app.grant_id} app={app} place={placeOf(app)} onDisconnect={() => setAsked(app)} />
              ))}
            </RowList>
          )
        }
      </QueryPart>
      {asked && (
        <ConfirmDialog
          title={t('ask.title', { name: asked.name })}
          confirm={t('ask.confirm')}
          keep={t('ask.keep')}
          isDanger
          isBusy={disconnect.isPending}
          problem={disconnect.error && why(disconnect.error)}
          onConfirm={() => end(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{t('ask.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

interface RowProps {
  readonly app: ConnectedApp
  readonly place: ReactNode
  readonly onDisconnect: () => void
}

function ConnectedRow({ app, place, onDisconnect }: RowProps) {
  const { t } = useTranslation('apps', { keyPrefix: 'connected' })
  const { name, website, date_use: used, address } = app
  return (
    <AppRow
      name={name}
      picture={app.picture}
      scopes={app.scopes}
      facts={
        <>
          <span>{place}</span>
          <a href={website} rel="noreferrer" target="_blank">
            {URL.parse(website)?.host ?? website}
          </a>
          <span>
            {t('since')} <DateStamp iso={app.date_create} />
          </span>
          {used === null ? (
            <span>{t('unused')}</span>
          ) : (
            <span>
              {t('used')} <DateStamp iso={used} /> {address && t('address', { address })}
            </span>
          )}
        </>
      }
      actions={
        <Button look="outline" aria-label={t('disconnectOne', { name })} onClick={onDisconnect}>
          {t('disconnect')}
        </Button>
      }
    />
  )
}
