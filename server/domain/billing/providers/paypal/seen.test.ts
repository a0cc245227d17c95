// Reports of PayPal in the terms of the port.
import { expect, test } from 'vitest'
import { paypalPayment } from './seen.ts'

const capture = { id: 'C', status: 'COMPLETED', amount: { currency_code: 'USD', value: '10.00' } }
const movement = (type: 'DEBIT' | 'CREDIT', value: string, currency_code: string) => ({
  party: 'SELLER',
  type,
  amount: { currency_code, value },
})
type Dispute = Parameters<typeof paypalPayment>[1][number]

const seen = (movements: Dispute['fund_movements'], refunds: readonly object[] = []) =>
  paypalPayment(
    { id: 'O', status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture], refunds } }] } as Parameters<
      typeof paypalPayment
    >[0],
    [{ dispute_id: 'D', status: 'OPEN', fund_movements: movements } as Dispute],
  )

test('splits a dispute by currency: the payment’s own part stays a dispute as ever', () => {
  const { disputes } = seen([
    movement('DEBIT', '6.00', 'USD'),
    movement('DEBIT', '3.00', 'EUR'),
    movement('CREDIT', '1.00', 'EUR'),
    movement('DEBIT', '500', 'JPY'),
  ])
  expect(disputes).toEqual([
    { id: 'D', withdrawnMinor: 600, reinstatedMinor: 0, status: 'open' },
    { id: 'D:eur', withdrawnMinor: 300, reinstatedMinor: 100, status: 'open', currency: 'eur' },
    { id: 'D:jpy', withdrawnMinor: 50_000, reinstatedMinor: 0, status: 'open', currency: 'jpy' },
  ])
})

test('reports refunds in currencies without decimals in hundredths, as lists of operators show them', () => {
  const { refunds } = seen([], [{ id: 'R', status: 'COMPLETED', amount: { currency_code: 'HUF', value: '1500' } }])
  expect(refunds).toMatchObject([{ takenMinor: 150_000, currency: 'huf' }])
})

test.each([
  ['PENDING', true, 0],
  ['COMPLETED', false, 0],
  ['FAILED', false, 700],
])('a refund that is %s: pending %s, returned %i', (status, isPending, returnedMinor) => {
  const { refunds } = seen([], [{ id: 'R', status, amount: { currency_code: 'USD', value: '7.00' } }])
  expect(refunds).toMatchObject([{ takenMinor: 700, isPending, returnedMinor }])
})
