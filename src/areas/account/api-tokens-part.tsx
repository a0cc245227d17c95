import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type ApiToken, apiTokens } from '#contract/areas/account/api-tokens.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { useScopeText } from '#src/components/use-scope-text.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'

const CreateApiToken = lazy(async () => ({ default: (await import('./create-api-token.tsx')).CreateApiToken }))
const NewApiToken = lazy(async () => ({ default: (await import('./new-api-token.tsx')).NewApiToken }))

/** API tokens of the user: list, new one, revocation. */
export function ApiTokensPart() {
  const { t } = useTranslation('account', { keyPrefix: 'tokens' })
  const why = useFailureText('account')
  const query = useQuery(q(apiTokens.list, {}))
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<string | null>(null)
  const [asked, setAsked] = useState<ApiToken | null>(null)
  const [done, setDone] = useState('')
  const revoke = useWrite(apiTokens.revoke, {
    onSuccess: () => {
      setDone(t('revoked', { name: asked?.name }))
      setAsked(null)
    },
  })
  const create = <Button onClick={() => setCreating(true)}>{t('create')}</Button>
  return (
    <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={240} />}>
      {({ results }) => (
        <Card title={t('title')} note={t('text')} actions={results.length > 0 && create}>
          <Note tone="ok">{done}</Note>
          {results.length === 0 ? (
            <EmptyState icon={<IconKey size={28} />} title={t('none')} action={create}>
              {t('noneText')}
            </EmptyState>
          ) : (
            <RowList label={t('title')}>
              {results.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setAsked(token)} />
              ))}
            </RowList>
          )}
          <p className={styles.actions}>
            <Link to={paths.reference()}>{t('reference')}</Link>
            <HelpLinkLater article="server/api" />
          </p>
          <Suspense>
            {isCreating && (
              <CreateApiToken
                onCreated={({ token }) => {
                  setCreating(false)
                  setDone('')
                  setCreated(token)
                }}
                onClose={() => setCreating(false)}
              />
            )}
            {created !== null && <NewApiToken token={created} onClose={() => setCreated(null)} />}
          </Suspense>
          {asked && (
            <ConfirmDialog
              title={t('ask.title', { name: asked.name })}
              confirm={t('ask.confirm')}
              keep={t('cancel')}
              isDanger
              isBusy={revoke.isPending}
              problem={revoke.error && why(revoke.error)}
              onConfirm={() => revoke.mutate({ token_id: asked.id })}
              onClose={() => setAsked(null)}
            >
              <p>{t('ask.text')}</p>
            </ConfirmDialog>
          )}
        </Card>
      )}
    </QueryPart>
  )
}

interface TokenRowProps {
  readonly token: ApiToken
  readonly onRevoke: () => void
}

function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { t } = useTranslation('account', { keyPrefix: 'tokens' })
  const scopeText = useScopeText()
  const { name, project, hint, address, program } = token
  return (
    <Row
      lead={
        <span className={styles.sign} aria-hidden>
          <IconKey size={22} stroke={1.6} />
        </span>
      }
      title={name}
      about={
        <>
          <div>{scopeText(token.scopes)}</div>
          <div className={styles.facts}>
            <span>{project ? t('ofProject', { name: project.name }) : t('allProjects')}</span>
            <span>
              <code>rdk_…{hint}</code>
            </span>
            <span>
              {t('ends')} <DateStamp iso={token.date_end} />
            </span>
          </div>
          <div className={styles.facts}>
            {token.date_use === null ? (
              <span>{t('unused')}</span>
            ) : (
              <>
                <span>
                  {t('used')} <DateStamp iso={token.date_use} />
                </span>
                {address && <span>{t('address', { address })}</span>}
                {program && <span>{program}</span>}
              </>
            )}
          </div>
        </>
      }
      actions={
        <Button look="outline" aria-label={t('revokeOne', { name })} onClick={onRevoke}>
          {t('revoke')}
        </Button>
      }
    />
  )
}
