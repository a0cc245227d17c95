import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Subscription, subscriptions } from '#contract/areas/operator/subscriptions.ts'
import { SubscriptionView } from '#contract/entities/operator.ts'
import { call } from '#src/api/call.ts'
import { q } from '#src/api/query.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { formatDate, formatMoney } from '#src/lib/format.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { projectOf, readTimed, spanOf, writeTimed } from './list-view.ts'
import { SumsLine } from './sums-line.tsx'

const size = 50
const read = readTimed<SubscriptionView>(['running', 'recurring', 'new', 'ended'])

/** Bought and given plans of all projects. The filters are in the URL. */
export function SoldPart() {
  const { t } = useTranslation('operator-desk')
  const { view, key, change, to } = useListView(read, writeTimed<SubscriptionView>)
  const isTimed = view.view === 'new' || view.view === 'ended'
  const filter = { view: view.view, ...projectOf(view.project), ...(isTimed ? spanOf(view) : {}) }
  const list = useQuery({
    ...q(subscriptions.list, { ...filter, ...windowOf(view.page, size) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('sold.title')} note={t('sold.note')}>
      <Toolbar label={t('tools')}>
        <SearchField
          label={t('project')}
          inputMode="numeric"
          maxLength={9}
          value={view.project}
          onChange={(project) => change({ project })}
        />
        <FilterField
          label={t('sold.view.label')}
          value={view.view}
          choices={SubscriptionView.options.map((value) => ({ value, label: t(`sold.view.${value}`) }))}
          onChange={(value) => change({ view: value })}
        />
        {isTimed && <DaysFilter days={view} onChange={change} />}
      </Toolbar>
      {list.data && <SumsLine sums={list.data.monthly} isMonthly />}
      <OperatorList
        query={list}
        label={t('sold.title')}
        failed={t('failed')}
        none={<EmptyState title={t('sold.none')} />}
        page={view.page}
        size={size}
        to={to}
        filters={key}
        file={{
          name: 'plans',
          read: (page, sessionId) => call(subscriptions.list, { ...filter, ...page }, { sessionId }),
          keyOf: ({ term_id }) => term_id,
          columns,
        }}
      >
        {(row) => <SoldRow row={row} />}
      </OperatorList>
    </Card>
  )
}

const columns: Columns<Subscription> = {
  project_id: ({ project_id }) => project_id,
  project: ({ project_name }) => project_name,
  line: ({ line }) => line,
  plan: ({ plan }) => plan,
  period: ({ period }) => period,
  amount: ({ amount }) => amount / 100,
  currency: ({ currency }) => currency.toUpperCase(),
  renews: ({ renews }) => (renews ? 'yes' : 'no'),
  date_start: ({ date_start }) => date_start,
  date_end: ({ date_end }) => date_end,
}

/** One plan: title, project, price of its period, and its time. */
function SoldRow({ row }: { readonly row: Subscription }) {
  const { t } = useTranslation(['operator-desk', 'operator'])
  const { colon } = usePunctuation()
  const language = useLanguage()
  const { amount, currency, period, date_start, date_end } = row
  const price = amount === 0 ? t('sold.given') : formatMoney(amount, currency, language)
  const facts = [
    `${row.project_name} (${row.project_id})`,
    period === null ? price : t(`sold.per.${period}`, { price }),
    t('sold.time', { from: formatDate(date_start, language), to: formatDate(date_end, language) }),
  ]
  return (
    <Row
      title={t(`operator:line.${row.line}`) + colon + row.plan}
      about={facts.join(' · ')}
      actions={row.renews && <Badge tone="ok">{t('sold.renews')}</Badge>}
    />
  )
}
