import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { BuyDialog } from './buy-dialog.tsx'
import type { Order } from './lines.ts'
import type { Known } from './queries.ts'
import styles from './quote.module.css'
import { quoteParts } from './quote-parts.ts'
import { WhomToAsk } from './whom-to-ask.tsx'

interface Props {
  readonly order: Order
  readonly quote: RestreamQuote | undefined
  readonly isWaiting: boolean
  readonly known: Pick<Known, 'projectId' | 'canBuy'>
  readonly onBought: (sentence: string) => void
}

/** Buy button with action and price. When disabled it stays visible and shows the reason. */
export function BuyButton({ order, quote, isWaiting, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const reasonId = useId()
  // The quote at the moment of the click; a changed price requires a new confirmation.
  const [asked, setAsked] = useState<RestreamQuote | null>(null)
  const parts = quote && quoteParts(quote, order.period)
  const money = (amount: number) => formatMoney(amount, quote?.currency ?? null, language)
  const reason = reasonAgainst()
  const isOff = reason !== null || isWaiting
  return (
    <div className={styles.buy} aria-live="off">
      <button
        type="button"
        className={styles.buyButton}
        aria-disabled={isOff}
        aria-describedby={reasonId}
        onClick={() => isOff || setAsked(quote ?? null)}
      >
        {quote && parts
          ? t(`buy.${quote.choose_status}`, { plan: order.title, amount: money(Math.max(0, parts.quoteTotal)) })
          : t('quote.calculating')}
      </button>
      <p id={reasonId} className={styles.reason}>
        {reason}
      </p>
      {asked && <BuyDialog order={order} quote={asked} onBought={onBought} onClose={() => setAsked(null)} />}
    </div>
  )

  function reasonAgainst(): ReactNode {
    if (known.canBuy === false) return <WhomToAsk projectId={known.projectId} />
    if (!parts || !quote || parts.left <= 0) return null
    return t('buy.notCovered', { left: money(parts.left), balance: money(quote.balance) })
  }
}
