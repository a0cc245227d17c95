import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaySystem } from '#contract/areas/billing/pay-systems.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { ChoiceList } from '#src/ui/choice-list.tsx'

interface Props {
  readonly systems: readonly PaySystem[]
  readonly value: number
  readonly error?: ReactNode
  readonly onChange: (id: number) => void
}

/** Ways to pay as radio buttons, each with its smallest and largest amount. */
export function PaySystemChoice({ systems, value, error, onChange }: Props) {
  const { t, i18n } = useTranslation('pay')
  const language = useLanguage()
  const textOf = ({ pay_name, description, currency, min_amount, max_amount }: PaySystem) => {
    const limits = {
      min: formatMoney(min_amount, currency, language),
      max: formatMoney(max_amount, currency, language),
    }
    const about = i18n.exists(`pay:system.${pay_name}.text`) ? t(`system.${pay_name}.text`) : description
    return [about, t('limits', limits)].join(language === 'cn' ? '' : ' ')
  }
  const choices = systems.map((system) => ({
    value: system.pay_system_id,
    title: i18n.exists(`pay:system.${system.pay_name}.name`) ? t(`system.${system.pay_name}.name`) : system.name,
    text: textOf(system),
  }))
  return <ChoiceList label={t('choose')} value={value} choices={choices} error={error} onChange={onChange} />
}
