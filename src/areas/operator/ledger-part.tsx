import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ledger, type LedgerMovement } from '#contract/areas/operator/ledger.ts'
import { LedgerView } from '#contract/entities/operator.ts'
import { call } from '#src/api/call.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { projectOf, readTimed, spanOf, writeTimed } from './list-view.ts'
import { SumsLine } from './sums-line.tsx'

const size = 50
const read = readTimed<LedgerView>(['received', 'balance'])

/** Movements of money of all projects, with their sums. The filters are in the URL. */
export function LedgerPart() {
  const { t } = useTranslation('operator-desk')
  const { view, key, change, to } = useListView(read, writeTimed<LedgerView>)
  const filter = { view: view.view, ...projectOf(view.project), ...spanOf(view) }
  const list = useQuery({
    ...q(ledger.list, { ...filter, ...windowOf(view.page, size) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('money.title')} note={t(`money.note.${view.view}`)}>
      <Toolbar label={t('tools')}>
        <SearchField
          label={t('project')}
          inputMode="numeric"
          maxLength={9}
          value={view.project}
          onChange={(project) => change({ project })}
        />
        <FilterField
          label={t('money.view.label')}
          value={view.view}
          choices={LedgerView.options.map((value) => ({ value, label: t(`money.view.${value}`) }))}
          onChange={(value) => change({ view: value })}
        />
        <DaysFilter days={view} onChange={change} />
      </Toolbar>
      {list.data && <SumsLine sums={list.data.sums} />}
      <OperatorList
        query={list}
        label={t('money.title')}
        failed={t('failed')}
        none={<EmptyState title={t('money.none')} />}
        page={view.page}
        size={size}
        to={to}
        filters={key}
        file={{
          name: 'money',
          read: (page, sessionId) => call(ledger.list, { ...filter, ...page }, { sessionId }),
          keyOf: ({ id }) => id,
          columns,
        }}
      >
        {(row) => <MovementRow row={row} />}
      </OperatorList>
    </Card>
  )
}

const columns: Columns<LedgerMovement> = {
  date: ({ date_create }) => date_create,
  type: ({ type }) => type,
  project_id: ({ project_id }) => project_id,
  project: ({ project_name }) => project_name,
  title: ({ title }) => title,
  payment_id: ({ payment_id }) => payment_id,
  amount: ({ amount }) => amount / 100,
  currency: ({ currency }) => currency.toUpperCase(),
}

/** One movement: amount, purpose, project and date. */
export function MovementRow({ row }: { readonly row: LedgerMovement }) {
  const { t } = useTranslation('billing-history')
  const facts = [t(`flow.${row.type}`), row.title ?? '', `${row.project_name} (${row.project_id})`]
  return (
    <Row
      title={<MoneyAmount amountMinor={row.amount} currency={row.currency} />}
      about={
        <>
          {facts.filter(Boolean).join(' · ')} · <DateStamp iso={row.date_create} />
        </>
      }
    />
  )
}
