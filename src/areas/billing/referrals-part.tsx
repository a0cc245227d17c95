import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ProjectInfo } from '#contract/areas/projects/projects.ts'
import { type Currency, currencyCodes } from '#contract/entities/currencies.ts'
import { type ReferralInfo, referrals } from '#contract/areas/billing/referrals.ts'
import { q } from '#src/api/query.ts'
import { CodeBlock } from '#src/components/code-block.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatNumber, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { OwnerPart } from './owner-part.tsx'

/** The Referrals tab: link, invited users, waiting and booked earnings. */
export function ReferralsPart() {
  return <OwnerPart>{(project) => <Referrals project={project} />}</OwnerPart>
}

function Referrals({ project }: { readonly project: ProjectInfo['data'] }) {
  const { t } = useTranslation('referrals')
  const info = useQuery(q(referrals.info, { project_id: project.project_id }))
  return (
    <QueryPart query={info} failed={t('failed')} skeleton={<Skeleton height={210} />}>
      {(data) =>
        data.link === null ? (
          <EmptyState title={t('team.title')}>{t('team.text')}</EmptyState>
        ) : (
          <>
            <LinkCard link={data.link} percent={data.percent} />
            <FiguresCard info={data} currency={project.currency} />
          </>
        )
      }
    </QueryPart>
  )
}

function LinkCard({ link, percent }: { readonly link: string; readonly percent: number }) {
  const { t } = useTranslation('referrals')
  const language = useLanguage()
  const note = percent > 0 ? t('rules', { percent: formatPercent(percent, language) }) : t('noPercent')
  return (
    <Card title={t('link')} note={note}>
      <CodeBlock
        label={t('address')}
        heading="h3"
        text={link}
        copy={{ idle: t('copy.idle'), copied: t('copy.copied'), refused: t('copy.refused') }}
      />
    </Card>
  )
}

interface Figures {
  readonly info: ReferralInfo
  /** Currency of the project, for zero. */
  readonly currency: Currency
}

function FiguresCard({ info, currency }: Figures) {
  const { t } = useTranslation('referrals')
  const language = useLanguage()
  return (
    <Card title={t('figures')}>
      <FactList>
        <Fact name={t('members')}>{formatNumber(info.members, language)}</Fact>
        <Fact name={t('waiting')}>
          <Amounts of={info.waiting} zero={currency} />
        </Fact>
        <Fact name={t('profit')}>
          <Amounts of={info.profit} zero={currency} />
        </Fact>
      </FactList>
    </Card>
  )
}

/** Amounts by currency, without those that are zero. */
function Amounts({ of, zero }: { readonly of: ReferralInfo['profit']; readonly zero: Currency }) {
  const shown = currencyCodes.filter((currency) => of[currency] > 0)
  return (shown.length > 0 ? shown : [zero]).map((currency, at) => (
    <span key={currency}>
      {at > 0 && ' + '}
      <MoneyAmount amountMinor={of[currency]} currency={currency} />
    </span>
  ))
}
