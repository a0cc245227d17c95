import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OperatorUser, people } from '#contract/areas/operator/people.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { SignUpMode } from '#contract/entities/account.ts'
import { call } from '#src/api/call.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { useListView } from '#src/components/use-list-view.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import styles from './operator.module.css'

const size = 20

/** Search, filter and page of the list, as the URL has them. */
interface View {
  readonly query: string
  /** `1`: only operators. */
  readonly operators: string
  readonly page: number
}

const readView = (params: URLSearchParams): View => ({
  query: params.get('q') ?? '',
  operators: params.get('operators') === '1' ? '1' : '',
  page: pageOf(params),
})

function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { query, operators, page } = { ...view, page: 1, ...change }
  return paramsOf({ q: query, operators, page })
}

/** Users, operators, and the mode of sign-up. */
export function PeoplePart() {
  return (
    <div className={styles.parts}>
      <SignUpCard />
      <UsersCard />
    </div>
  )
}

function SignUpCard() {
  const { t } = useTranslation(['operator-desk', 'common'])
  const words = {
    idle: t('common:inviteLink.copy'),
    copied: t('common:inviteLink.copied'),
    refused: t('common:inviteLink.refused'),
  }
  const query = useQuery(q(settings.get, {}))
  const { hasPlans } = useInstallation()
  const modeText = (mode: SignUpMode) => t(`people.mode.${mode === 'auto' && !hasPlans ? 'autoInvite' : mode}`)
  const [open, setOpen] = useState<'mode' | 'invite' | null>(null)
  const [link, setLink] = useState('')
  return (
    <Card
      title={t('people.signUp')}
      actions={
        <div className={styles.actions}>
          <Button look="outline" isOff={!query.data} onClick={() => setOpen('mode')}>
            {t('people.changeMode')}
          </Button>
          <Button look="outline" onClick={() => setOpen('invite')}>
            {t('people.invite')}
          </Button>
        </div>
      }
    >
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={30} />}>
        {({ sign_up }) => <p>{modeText(sign_up)}</p>}
      </QueryPart>
      {link !== '' && (
        <p className={styles.actions}>
          <code>{link}</code> <CopyButton text={link} words={words} />
        </p>
      )}
      {open === 'mode' && query.data && (
        <ChangeDialog
          title={t('people.changeMode')}
          op={people.setSignUp}
          values={{ sign_up: query.data.sign_up as string }}
          inputOf={({ sign_up }) => ({ sign_up: SignUpMode.options.find((mode) => mode === sign_up) ?? 'auto' })}
          onClose={() => setOpen(null)}
        >
          {({ field }) => (
            <SelectField
              label={t('people.signUp')}
              choices={SignUpMode.options.map((value) => ({ value, label: modeText(value) }))}
              {...field('sign_up')}
            />
          )}
        </ChangeDialog>
      )}
      {open === 'invite' && (
        <ChangeDialog
          title={t('people.invite')}
          confirm={t('people.invite')}
          op={people.invite}
          values={{}}
          inputOf={() => ({})}
          onDone={({ url }) => setLink(url)}
          onClose={() => setOpen(null)}
        >
          {() => <p>{t('people.inviteText')}</p>}
        </ChangeDialog>
      )}
    </Card>
  )
}

type Act = 'make' | 'remove' | 'end'

function UsersCard() {
  const { t } = useTranslation('operator-desk')
  const { view, key, change, to } = useListView(readView, writeView)
  const filter = {
    ...(view.query !== '' && { query: view.query.slice(0, 100) }),
    ...(view.operators === '1' && { operators: true }),
  }
  const list = useQuery({
    ...q(people.list, { ...filter, ...windowOf(view.page, size) }),
    placeholderData: keepPreviousData,
  })
  const [open, setOpen] = useState<{ readonly user: OperatorUser; readonly act: Act } | null>(null)
  return (
    <Card title={t('people.users')}>
      <Toolbar label={t('tools')}>
        <SearchField
          label={t('people.search')}
          maxLength={100}
          value={view.query}
          onChange={(query) => change({ query })}
        />
        <FilterField
          label={t('people.right')}
          value={view.operators}
          choices={[
            { value: '', label: t('people.everyone') },
            { value: '1', label: t('people.operators') },
          ]}
          onChange={(operators) => change({ operators })}
        />
      </Toolbar>
      <OperatorList
        query={list}
        label={t('people.users')}
        failed={t('failed')}
        none={<EmptyState title={t('people.none')} />}
        page={view.page}
        size={size}
        to={to}
        filters={key}
        file={{
          name: 'users',
          read: (page, sessionId) => call(people.list, { ...filter, ...page }, { sessionId }),
          keyOf: ({ user_id }) => user_id,
          columns,
        }}
      >
        {(user) => <UserRow user={user} onOpen={(act) => setOpen({ user, act })} />}
      </OperatorList>
      {open && <UserDialog {...open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

const columns: Columns<OperatorUser> = {
  user_id: ({ user_id }) => user_id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  operator: ({ operator }) => (operator ? 'yes' : 'no'),
  projects: ({ projects }) => projects,
  sessions: ({ sessions }) => sessions,
  date_create: ({ date_create }) => date_create,
}

function UserRow({ user, onOpen }: { readonly user: OperatorUser; readonly onOpen: (act: Act) => void }) {
  const { t } = useTranslation('operator-desk')
  const { name, email, operator, projects, sessions } = user
  const about = [email, t('revenue.projects', { count: projects }), t('people.sessions', { count: sessions })]
  const acts: readonly Act[] = [operator ? 'remove' : 'make', ...(sessions > 0 ? (['end'] as const) : [])]
  return (
    <Row
      title={`${name} · ${user.user_id}`}
      about={about.filter(Boolean).join(' · ')}
      actions={
        <>
          {operator && <Badge tone="accent">{t('people.operator')}</Badge>}
          {acts.map((act) => (
            <Button key={act} look="outline" aria-label={t(`people.${act}Named`, { name })} onClick={() => onOpen(act)}>
              {t(`people.${act}`)}
            </Button>
          ))}
        </>
      }
    />
  )
}

/** Makes or removes an operator, or ends the sessions of a user. */
function UserDialog({
  user: { user_id, name },
  act,
  onClose,
}: {
  readonly user: OperatorUser
  readonly act: Act
  readonly onClose: () => void
}) {
  const { t } = useTranslation('operator-desk')
  const common = { title: t(`people.${act}Named`, { name }), confirm: t(`people.${act}`), values: {}, onClose }
  const text = () => <p>{t(`people.${act}Text`)}</p>
  if (act === 'end')
    return (
      <ChangeDialog {...common} op={people.endSessions} inputOf={() => ({ user_id })}>
        {text}
      </ChangeDialog>
    )
  return (
    <ChangeDialog {...common} op={people.setOperator} inputOf={() => ({ user_id, operator: act === 'make' })}>
      {text}
    </ChangeDialog>
  )
}
