import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Session, sessions } from '#contract/areas/account/sessions.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'
import { ScriptCard } from './script-card.tsx'
import { SessionRow } from './session-row.tsx'

/** Sessions of the user, the buttons that end them, and sign-in for scripts. */
export function SessionsPart() {
  const { t } = useTranslation('account')
  const query = useQuery(q(sessions.list, {}))
  return (
    <QueryPart query={query} failed={t('sessions.failed')} skeleton={<Skeleton height={240} />}>
      {({ results }) => (
        <div className={styles.stack}>
          <SessionList list={results} />
          <ScriptCard />
        </div>
      )}
    </QueryPart>
  )
}

function SessionList({ list }: { readonly list: readonly Session[] }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState('')
  const closeOthers = useWrite(sessions.closeOthers, {
    onSuccess: ({ closed }) => {
      setAsking(false)
      setDone(t('sessions.closedOthers', { count: closed }))
    },
  })
  const others = list.filter(({ current }) => !current).length
  // The current session comes first, regardless of its last activity.
  const sorted = list.toSorted((a, b) => Number(b.current) - Number(a.current))

  return (
    <Card
      title={t('sessions.title')}
      note={t('sessions.text')}
      actions={
        others > 0 && (
          <Button look="outline" onClick={() => setAsking(true)}>
            {t('sessions.closeOthers')}
          </Button>
        )
      }
    >
      <Note tone="ok">{done}</Note>
      <RowList label={t('sessions.title')}>
        {sorted.map((session) => (
          <SessionRow key={session.id} session={session} onClosed={(name) => setDone(t('sessions.closed', { name }))} />
        ))}
      </RowList>
      {isAsking && (
        <ConfirmDialog
          title={t('sessions.ask.title')}
          confirm={t('sessions.closeOthers')}
          keep={t('sessions.ask.keep')}
          isBusy={closeOthers.isPending}
          problem={closeOthers.error && why(closeOthers.error)}
          onConfirm={() => closeOthers.mutate({})}
          onClose={() => setAsking(false)}
        >
          <p>{t('sessions.ask.text', { count: others })}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
