// Receipts by 54-FZ, which YooKassa sends to the tax service with each payment and refund. Pure.
import { decimalOf } from '#server/domain/billing/decimal.ts'
import type { PaperSettings } from '#server/domain/billing/profile-store.ts'
import type { PaymentRow } from './provider.ts'

/** Longest description of a position. */
const descriptionMax = 128

const titles: Readonly<Record<PaymentRow['type'], string>> = {
  topup: 'Пополнение баланса',
  restream: 'Тариф рестрима',
  transcoding: 'Тариф транскодирования',
  storage: 'Тариф хранилища',
}

/** Text of a position, in Russian: it is for the tax service. */
export const positionOf = ({ type, title }: Pick<PaymentRow, 'type' | 'title'>): string =>
  (title === null ? titles[type] : `${titles[type]}: ${title}`).slice(0, descriptionMax)

/**
 * Returns the receipt of a payment or of its refund; undefined until the operator has set tax system and VAT code.
 * A plan is paid in full; a top-up is an advance.
 * @param email address that YooKassa sends the receipt to
 */
export function receiptOf(
  { tax_system, vat_code }: Pick<PaperSettings, 'tax_system' | 'vat_code'>,
  payment: Pick<PaymentRow, 'type' | 'title'>,
  amountMinor: number,
  email: string | null,
): object | undefined {
  if (tax_system === null || vat_code === null || email === null) return undefined
  return {
    customer: { email },
    tax_system_code: tax_system,
    items: [
      {
        description: positionOf(payment),
        quantity: 1,
        amount: { value: decimalOf(amountMinor), currency: 'RUB' },
        vat_code,
        payment_subject: 'service',
        payment_mode: payment.type === 'topup' ? 'advance' : 'full_payment',
      },
    ],
  }
}
