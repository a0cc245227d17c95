// Objects of the double of PayPal: orders, captures, refunds and disputes, as its reference shows them.
import { randomBytes } from 'node:crypto'

export interface DoubleMoney {
  readonly currency_code: string
  readonly value: string
}

interface Link {
  readonly rel: string
  readonly href: string
}

export interface DoubleCapture {
  readonly id: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  status_details?: { readonly reason: string }
  readonly amount: DoubleMoney
  readonly custom_id: string
  readonly invoice_id: string
  readonly seller_receivable_breakdown: { readonly paypal_fee: DoubleMoney }
  readonly supplementary_data: { readonly related_ids: { readonly order_id: string } }
  readonly create_time: string
}

export interface DoubleRefund {
  readonly id: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
  readonly amount: DoubleMoney
  readonly custom_id?: string
  readonly links: readonly Link[]
  readonly create_time: string
}

export interface DoubleOrder {
  readonly id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  readonly intent: 'CAPTURE'
  readonly purchase_units: [
    {
      readonly custom_id: string
      readonly invoice_id: string
      readonly amount: DoubleMoney
      payments: { readonly captures: DoubleCapture[]; readonly refunds: DoubleRefund[] }
    },
  ]
  readonly links: Link[]
  readonly return_url: string
  readonly cancel_url: string
  /** The bank declines the capture. */
  isDeclined: boolean
}

export interface DoubleDispute {
  readonly dispute_id: string
  status: 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED'
  update_time: string
  readonly disputed_transactions: readonly [{ readonly seller_transaction_id: string; readonly custom: string }]
  dispute_outcome?: { readonly outcome_code: string }
  readonly fund_movements: {
    readonly party: 'SELLER' | 'BUYER'
    readonly amount: DoubleMoney
    readonly type: 'DEBIT' | 'CREDIT'
    readonly reason: string
  }[]
}

/** Everything that the double remembers. Amounts are in a currency with two decimals. */
export class PaypalState {
  readonly orders = new Map<string, DoubleOrder>()
  readonly disputes = new Map<string, DoubleDispute>()
  /** Test clock. */
  now: () => Date = () => new Date()

  id = (): string => randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'X').toUpperCase().slice(0, 17)

  get captures(): DoubleCapture[] {
    return [...this.orders.values()].flatMap((order) => order.purchase_units[0].payments.captures)
  }

  get refunds(): DoubleRefund[] {
    return [...this.orders.values()].flatMap((order) => order.purchase_units[0].payments.refunds)
  }

  orderOf(captureId: string): DoubleOrder {
    const found = [...this.orders.values()].find(({ purchase_units: [unit] }) =>
      unit.payments.captures.some(({ id }) => id === captureId),
    )
    if (!found) throw new Error(`No capture ${captureId}`)
    return found
  }

  /** Takes the money of an order. @param value other than the amount of the order */
  capture(order: DoubleOrder, status: DoubleCapture['status'] = 'COMPLETED', value?: string): DoubleCapture {
    const [unit] = order.purchase_units
    const { currency_code } = unit.amount
    const amount = { currency_code, value: value ?? unit.amount.value }
    const fee = Math.round(cents(amount) * 0.034) + 30
    const capture: DoubleCapture = {
      id: this.id(),
      status,
      amount,
      custom_id: unit.custom_id,
      invoice_id: unit.invoice_id,
      seller_receivable_breakdown: { paypal_fee: { currency_code, value: (fee / 100).toFixed(2) } },
      supplementary_data: { related_ids: { order_id: order.id } },
      create_time: this.now().toISOString(),
      ...(status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    }
    order.status = 'COMPLETED'
    unit.payments.captures.push(capture)
    return capture
  }

  /** Refunds a capture; in the account of the seller without a key. */
  refund(capture: DoubleCapture, value: string, key?: string): DoubleRefund {
    const refund: DoubleRefund = {
      id: this.id(),
      status: 'COMPLETED',
      amount: { ...capture.amount, value },
      ...(key !== undefined && { custom_id: key }),
      links: [{ rel: 'up', href: `https://api.sandbox.paypal.com/v2/payments/captures/${capture.id}` }],
      create_time: this.now().toISOString(),
    }
    this.orderOf(capture.id).purchase_units[0].payments.refunds.push(refund)
    capture.status = this.left(capture) > 0 ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
    return refund
  }

  /** Amount of a capture without its refunds, cents. */
  left(capture: DoubleCapture): number {
    const { refunds } = this.orderOf(capture.id).purchase_units[0].payments
    const gone = refunds.filter(({ status }) => status !== 'FAILED').reduce((sum, { amount }) => sum + cents(amount), 0)
    return cents(capture.amount) - gone
  }

  /** The customer opens a dispute. PayPal holds the money, and moves none before it decides. */
  dispute({ id, custom_id }: DoubleCapture): DoubleDispute {
    const dispute: DoubleDispute = {
      dispute_id: `PP-D-${this.id()}`,
      status: 'OPEN',
      update_time: this.now().toISOString(),
      disputed_transactions: [{ seller_transaction_id: id, custom: custom_id }],
      fund_movements: [],
    }
    this.disputes.set(dispute.dispute_id, dispute)
    return dispute
  }

  /** PayPal decides for the customer: the amount and a fee leave the account of the seller. */
  lose(dispute: DoubleDispute, value: string, currency_code = 'USD'): void {
    const amount = { currency_code, value }
    dispute.fund_movements.push(
      { party: 'SELLER', type: 'DEBIT', amount, reason: 'DISPUTE_SETTLEMENT' },
      { party: 'SELLER', type: 'DEBIT', amount: { ...amount, value: '15.00' }, reason: 'DISPUTE_FEE' },
      { party: 'BUYER', type: 'CREDIT', amount, reason: 'DISPUTE_SETTLEMENT' },
    )
    Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } })
    dispute.update_time = this.now().toISOString()
  }

  /** The seller appeals, and wins: what was withdrawn comes back. */
  win(dispute: DoubleDispute): void {
    const taken = dispute.fund_movements.filter(({ reason, party }) => party === 'SELLER' && !reason.endsWith('_FEE'))
    dispute.fund_movements.push(...taken.map((movement) => ({ ...movement, type: 'CREDIT' as const })))
    Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' } })
    dispute.update_time = this.now().toISOString()
  }
}

/** Cents of an amount. */
export const cents = ({ value }: Pick<DoubleMoney, 'value'>): number => Math.round(Number(value) * 100)
