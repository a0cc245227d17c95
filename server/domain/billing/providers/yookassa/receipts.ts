// Receipts by 54-FZ, which YooKassa sends to the tax service: with each payment and refund, and for each advance that a
// purchase closes. Pure.
import { decimalOf } from '#server/domain/money/decimal.ts'
import type { PaperSettings } from '#server/domain/billing/profile-store.ts'
import type { ClosingOf, PaymentRow } from '#server/domain/billing/providers/provider.ts'

/** Longest description of a position. */
const descriptionMax = 128

const titles: Readonly<Record<PaymentRow['type'], string>> = {
  topup: 'Пополнение баланса',
  restream: 'Тариф рестрима',
  transcoding: 'Тариф транскодирования',
  storage: 'Тариф хранилища',
}

/** Text of a part of a payment: a refund may return an advance beside a plan, or what a top-up has paid for. */
function partOf(payment: Pick<PaymentRow, 'type' | 'title'>, mode: Mode): string {
  if (mode === 'advance') return titles.topup
  return payment.type === 'topup' ? 'Тариф' : positionOf(payment)
}

/** VAT codes of a rate: of a sale, and of an advance, for which the tax code has the calculated rate (article 164, 4). */
const vatCodes = [
  { full_payment: 3, advance: 5 },
  { full_payment: 4, advance: 6 },
  { full_payment: 7, advance: 9 },
  { full_payment: 8, advance: 10 },
  { full_payment: 11, advance: 12 },
] as const

type Mode = 'advance' | 'full_payment'

/** Returns the VAT code of a position: that of the operator, or its counterpart. */
const vatCodeOf = (code: number, mode: Mode): number =>
  vatCodes.find(({ full_payment, advance }) => code === full_payment || code === advance)?.[mode] ?? code

/** Tax system and VAT code of the operator. */
type Codes = Pick<PaperSettings, 'tax_system' | 'vat_code'>

/** Text of a position, in Russian: it is for the tax service. */
export const positionOf = ({ type, title }: Pick<PaymentRow, 'type' | 'title'>): string =>
  (title === null ? titles[type] : `${titles[type]}: ${title}`).slice(0, descriptionMax)

/**
 * Returns the receipt of a payment or of its refund; undefined until the operator has set tax system and VAT code.
 * A plan is paid in full; a top-up is an advance.
 * @param email address that YooKassa sends the receipt to
 * @param advanceMinor part of the amount that is an advance; default: all of a top-up
 */
export function receiptOf(
  { tax_system, vat_code }: Codes,
  payment: Pick<PaymentRow, 'type' | 'title'>,
  amountMinor: number,
  email: string | null,
  advanceMinor = payment.type === 'topup' ? amountMinor : 0,
): object | undefined {
  if (tax_system === null || vat_code === null || email === null) return undefined
  const parts = [
    ['advance', advanceMinor],
    ['full_payment', amountMinor - advanceMinor],
  ] as const
  return {
    customer: { email },
    tax_system_code: tax_system,
    items: parts
      .filter(([, minor]) => minor > 0)
      .map(([mode, minor]) => itemOf(partOf(payment, mode), minor, vat_code, mode)),
  }
}

/**
 * Returns the request of a closing receipt (reference: `POST /receipts`); undefined until the operator has set tax system and
 * VAT code. No money moves: the advance settles it.
 */
export function closingReceiptOf({ tax_system, vat_code }: Codes, closing: ClosingOf): object | undefined {
  if (tax_system === null || vat_code === null) return undefined
  const { payId, amountMinor, email } = closing
  return {
    type: 'payment',
    payment_id: payId,
    send: true,
    customer: { email },
    tax_system_code: tax_system,
    items: [itemOf(positionOf(closing), amountMinor, vat_code, 'full_payment')],
    settlements: [{ type: 'prepayment', amount: roubles(amountMinor) }],
  }
}

const itemOf = (description: string, amountMinor: number, vatCode: number, mode: Mode) => ({
  description,
  quantity: 1,
  amount: roubles(amountMinor),
  vat_code: vatCodeOf(vatCode, mode),
  payment_subject: 'service',
  payment_mode: mode,
})

const roubles = (amountMinor: number) => ({ value: decimalOf(amountMinor), currency: 'RUB' })
