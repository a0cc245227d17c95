import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ProjectInfo } from '#contract/areas/projects/projects.ts'
import { roleOf } from '#contract/entities/roles.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'

const purses = ['bonus', 'payment', 'profit'] as const

/** Facts of a project: name, type, own role, plan and balances. */
export function Facts({ info }: { info: ProjectInfo }) {
  const { t } = useTranslation('projects')
  const { hasPlans } = useInstallation()
  const { data, restream, access } = info
  const end = restream.plan2user.date_end
  return (
    <FactList>
      <Fact name={t('facts.name')}>{[data.name, data.fename].filter(Boolean).join(' ')}</Fact>
      <Fact name={t('facts.type')}>{t(`type.${data.type}`)}</Fact>
      <Fact name={t('facts.role')}>{t(`role.${roleOf(access.access_type)}`)}</Fact>
      {hasPlans && (
        <Fact name={t('facts.plan')}>
          <Link to={paths.tariffs(data.project_id)}>{restream.data.title}</Link>
        </Fact>
      )}
      {end !== null && (
        <Fact name={t('facts.planEnd')}>
          <DateStamp iso={end} />
        </Fact>
      )}
      {(hasPlans ? purses : []).map((purse) => (
        <Fact key={purse} name={t(`purse.${purse}`)}>
          <MoneyAmount amountMinor={data[`balance_${purse}`]} currency={data.currency} />
        </Fact>
      ))}
      <Fact name={t('facts.number')}>
        <code>{data.project_id}</code>
      </Fact>
      <Fact name={t('facts.externalId')}>
        <code>{data.external_id}</code>
      </Fact>
    </FactList>
  )
}
