import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { usePaySystems, usePaymentOptions } from '#src/components/use-pay.ts'
import { formatMoney } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { BuyDialog } from './buy-dialog.tsx'
import type { Order } from './lines.ts'
import { PayDialog } from './pay-dialog.tsx'
import type { Known } from './queries.ts'
import styles from './quote.module.css'
import { quoteParts } from './quote-parts.ts'
import { WhomToAsk } from './whom-to-ask.tsx'

interface Props {
  readonly order: Order
  readonly quote: RestreamQuote | undefined
  readonly isWaiting: boolean
  readonly known: Pick<Known, 'projectId' | 'canBuy' | 'debt'>
  readonly onBought: (sentence: string) => void
}

/**
 * Buy button with action and price. With a balance that is too low it begins a payment, where the server accepts payments.
 * When disabled it stays visible and shows the reason.
 */
export function BuyButton({ order, quote, isWaiting, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const reasonId = useId()
  // The quote at the moment of the click; a changed price requires a new confirmation.
  const [asked, setAsked] = useState<RestreamQuote | null>(null)
  const parts = quote && quoteParts(quote, order.period)
  const systems = usePaySystems(quote?.currency ?? null).data ?? []
  const isShort = parts !== undefined && parts.left > 0
  const ways = usePaymentOptions(known.projectId, isShort && known.canBuy !== false ? systems : [])
  const [first] = ways ?? systems.map((system) => ({ system }))
  const toPay = isShort && first !== undefined ? Math.max(parts.left, first.system.min_amount) : null
  const money = (amount: number) => formatMoney(amount, quote?.currency ?? null, language)
  const reason = reasonAgainst()
  const isOff = reason !== null || isWaiting || ways === undefined
  return (
    <div className={styles.buy} aria-live="off">
      <button
        type="button"
        className={styles.buyButton}
        aria-disabled={isOff}
        aria-describedby={reasonId}
        onClick={() => isOff || setAsked(quote ?? null)}
      >
        {quote && parts && ways ? label(quote, parts.quoteTotal) : t('quote.calculating')}
      </button>
      <p id={reasonId} className={styles.reason}>
        {reason}
      </p>
      {asked && dialogOf(asked)}
    </div>
  )

  function label(of: RestreamQuote, quoteTotal: number): string {
    if (toPay !== null) return t('buy.pay', { amount: money(toPay) })
    return t(`buy.${of.choose_status}`, { plan: order.title, amount: money(Math.max(0, quoteTotal)) })
  }

  function dialogOf(of: RestreamQuote): ReactNode {
    const shared = { order, quote: of, onClose: () => setAsked(null) }
    if (quoteParts(of, order.period).left <= 0 || first === undefined)
      return <BuyDialog {...shared} onBought={onBought} />
    return <PayDialog {...shared} projectId={known.projectId} ways={ways ?? []} />
  }

  function reasonAgainst(): ReactNode {
    if (known.canBuy === false) return <WhomToAsk projectId={known.projectId} />
    if (known.debt > 0)
      return <Link to={paths.billing(known.projectId)}>{t('buy.debt', { debt: money(known.debt) })}</Link>
    if (!isShort || !quote || toPay !== null) return null
    return t('buy.notCovered', { left: money(parts.left), balance: money(quote.balance) })
  }
}
