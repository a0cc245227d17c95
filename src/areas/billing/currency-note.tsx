import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { russia } from '#contract/entities/countries.ts'
import type { Currency } from '#contract/entities/project.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'
import { formatMoney, formatNumber } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'

interface Props {
  readonly projectId: number
  readonly currency: Currency
  readonly countryId: number
}

/** Effect of a country on the currency: what the balance becomes, or why the country cannot be chosen. */
export function CurrencyNote({ projectId, currency, countryId }: Props) {
  const { t } = useTranslation('billing-details')
  const language = useLanguage()
  const { gap } = usePunctuation()
  const changes = (countryId === russia) !== (currency === 'rub')
  const { data, error } = useQuery({
    ...q(paySettings.checkCountry, { project_id: projectId, country_id: countryId }),
    enabled: changes,
    retry: false,
  })
  if (!changes) return <Note />
  const failure = error && toApiError(error)
  if (failure?.name === 'CurrencyInUse') {
    const reasons = failure.data['reasons']
    const known = (Array.isArray(reasons) ? reasons : []).map((reason) => t(`inUse.${String(reason)}`))
    return <Note tone="warn">{[t('inUse.title'), ...known].join(gap)}</Note>
  }
  if (!data) return <Note />
  const { bonus, payment, profit } = data.balance
  const balance = formatMoney(bonus + payment + profit, data.currency, language)
  // The rate for one dollar, in either direction.
  const rate = formatNumber(data.exchange > 1 ? data.exchange : 1 / data.exchange, language)
  return (
    <Note tone="warn">
      {data.confirm ? t(`exchange.${data.currency}`, { balance, rate }) : t(`switch.${data.currency}`)}
    </Note>
  )
}
