import { useTranslation } from 'react-i18next'
import type { Sum } from '#contract/entities/operator.ts'
import { formatMoney } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'

interface Props {
  readonly sums: readonly Sum[]
  /** The amounts are for a month. */
  readonly isMonthly?: boolean
}

/** Sums of all rows of a filtered list, by currency. */
export function SumsLine({ sums, isMonthly = false }: Props) {
  const { t } = useTranslation('operator-desk')
  const language = useLanguage()
  const { colon } = usePunctuation()
  if (sums.length === 0) return null
  const amounts = sums.map(({ currency, amount }) => formatMoney(amount, currency, language)).join(' · ')
  return (
    <p>
      {t(isMonthly ? 'monthly' : 'sum') + colon}
      <strong>{amounts}</strong>
    </p>
  )
}
