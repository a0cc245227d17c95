import type { Currency } from '#contract/entities/project.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './figures.module.css'

/** An amount of money from minor units. Without a currency only the number is shown. */
export function MoneyAmount({ amountMinor, currency }: { amountMinor: number; currency: Currency | null }) {
  return <span className={styles.figure}>{formatMoney(amountMinor, currency, useLanguage())}</span>
}
