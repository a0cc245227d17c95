import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type OperatorOverview, overview } from '#contract/areas/operator/overview.ts'
import type { InboxKind, Sum } from '#contract/entities/operator.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatMoney, formatNumber } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'

/** List of each kind of the inbox. */
const listOf: Readonly<Record<InboxKind, string>> = {
  transfer: 'payments?status=transfer',
  payout: 'payouts?status=waiting',
  review: 'payments?status=review',
  dispute: 'payments?status=dispute',
  receipt: 'health',
  job: 'health',
  backup: 'health',
}

/** First page of Administration: what waits for a decision, revenue, plans and unpaid money. */
export function OverviewPart() {
  const { t } = useTranslation('operator-desk')
  const { hasPlans } = useInstallation()
  const query = useQuery(q(overview.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('overview.failed')} skeleton={<Skeleton height={420} />}>
        {(facts) => (
          <>
            <InboxCard facts={facts} />
            {hasPlans && <MoneyCard facts={facts} />}
            {hasPlans && <PlansCard facts={facts} />}
          </>
        )}
      </QueryPart>
    </div>
  )
}

interface Props {
  readonly facts: OperatorOverview
}

function InboxCard({ facts: { inbox, date_backup } }: Props) {
  const { t } = useTranslation('operator-desk')
  const language = useLanguage()
  const { colon } = usePunctuation()
  return (
    <Card title={t('inbox.title')} note={t('inbox.note')}>
      {inbox.length === 0 ? (
        <p>{t('inbox.empty')}</p>
      ) : (
        <RowList label={t('inbox.title')}>
          {inbox.map(({ kind, count, date_oldest }) => (
            <Row
              key={kind}
              title={<Link to={paths.operator(listOf[kind])}>{t(`inbox.kind.${kind}`)}</Link>}
              about={
                date_oldest && (
                  <>
                    {t(kind === 'backup' ? 'inbox.last' : 'inbox.oldest') + colon}
                    <DateStamp iso={date_oldest} />
                  </>
                )
              }
              actions={kind !== 'backup' && <Badge tone="warn">{formatNumber(count, language)}</Badge>}
            />
          ))}
        </RowList>
      )}
      {date_backup === null && <p className={styles.quiet}>{t('inbox.noBackup')}</p>}
    </Card>
  )
}

/** The day before a moment at midnight UTC. */
const dayBefore = (moment: string): string => new Date(Date.parse(moment) - 1).toISOString().slice(0, 10)

/** Address of a list within a month, by the first moments of this month and the next one. */
const monthAddress = (path: string, from: string, to: string): string =>
  paths.operator(`${path}from=${from.slice(0, 10)}&to=${dayBefore(to)}`)

function MoneyCard({ facts: { revenue, months, recurring, unpaid, overdue, debts } }: Props) {
  const { t } = useTranslation('operator-desk')
  const money = 'money?view=received&'
  return (
    <Card title={t('revenue.title')} note={t('revenue.note')}>
      <FactList>
        <Fact name={t('revenue.current')}>
          <Sums sums={revenue.current} to={monthAddress(money, months.current, months.next)} />
        </Fact>
        <Fact name={t('revenue.last')}>
          <Sums sums={revenue.last} to={monthAddress(money, months.last, months.current)} />
        </Fact>
        <Fact name={t('revenue.recurring')}>
          <Sums sums={recurring.sums} to={paths.operator('sold?view=recurring')}>
            {t('revenue.plans', { count: recurring.count })}
          </Sums>
        </Fact>
        <Fact name={t('revenue.unpaid')}>
          <Sums sums={unpaid.sums} to={paths.operator('payments?status=transfer')}>
            {t('revenue.invoices', { count: unpaid.count })}
          </Sums>
        </Fact>
        <Fact name={t('revenue.overdue')}>
          <Sums sums={overdue.sums} to={paths.operator('payments?status=overdue')}>
            {t('revenue.invoices', { count: overdue.count })}
          </Sums>
        </Fact>
        <Fact name={t('revenue.debts')}>
          <Sums sums={debts.sums} to={paths.operator('projects?debt=1')}>
            {t('revenue.projects', { count: debts.count })}
          </Sums>
        </Fact>
      </FactList>
    </Card>
  )
}

/** Amounts as a link to their list. @param props.children number of what they count */
function Sums({ sums, to, children }: { sums: readonly Sum[]; to: string; children?: ReactNode }) {
  const { t } = useTranslation('operator-desk')
  const language = useLanguage()
  if (sums.length === 0) return <span className={styles.quiet}>{t('revenue.none')}</span>
  const text = sums.map(({ currency, amount }) => formatMoney(amount, currency, language)).join(' · ')
  return (
    <>
      <Link to={to}>{text}</Link> {children && <span className={styles.quiet}>{children}</span>}
    </>
  )
}

function PlansCard({ facts: { plans, months } }: Props) {
  const { t } = useTranslation('operator-desk')
  const language = useLanguage()
  return (
    <Card title={t('month.title')}>
      <FactList>
        {(['new', 'ended'] as const).map((view) => (
          <Fact key={view} name={t(`month.${view}`)}>
            <Link to={monthAddress(`sold?view=${view}&`, months.current, months.next)}>
              {formatNumber(plans[view], language)}
            </Link>
          </Fact>
        ))}
      </FactList>
    </Card>
  )
}
