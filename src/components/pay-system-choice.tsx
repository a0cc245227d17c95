import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { payProviderFacts } from '#contract/entities/pay-provider-facts.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { ChoiceList } from '#src/ui/choice-list.tsx'
import type { PaymentOption } from './pay-ways.ts'

interface Props {
  readonly ways: readonly PaymentOption[]
  /** `value` of the chosen way. */
  readonly value: number
  readonly error?: ReactNode
  readonly onChange: (id: number) => void
}

/** Ways to pay as radio buttons, saved methods first, each with its smallest and largest amount. */
export function PaySystemChoice({ ways, value, error, onChange }: Props) {
  const { t } = useTranslation('pay')
  const language = useLanguage()
  const textOf = ({ system: { pay_name, description, currency, min_amount, max_amount }, method }: PaymentOption) => {
    const limits = {
      min: formatMoney(min_amount, currency, language),
      max: formatMoney(max_amount, currency, language),
    }
    if (method) return [t('savedText'), t('limits', limits)].join(language === 'cn' ? '' : ' ')
    const about = payProviderFacts(pay_name)?.texts[language].text ?? description
    return [about, t('limits', limits)].join(language === 'cn' ? '' : ' ')
  }
  const nameOf = ({ pay_name, name }: PaymentOption['system']) =>
    payProviderFacts(pay_name)?.texts[language].title ?? name
  const choices = ways.map((way) => ({
    value: way.value,
    title: way.method ? way.method.title : nameOf(way.system),
    text: textOf(way),
  }))
  return <ChoiceList label={t('choose')} value={value} choices={choices} error={error} onChange={onChange} />
}
