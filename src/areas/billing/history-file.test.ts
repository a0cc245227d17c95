import i18next, { type ResourceKey, type TFunction } from 'i18next'
import { expect, test } from 'vitest'
import type { MoneyFlowRow } from '#contract/areas/billing/money-flow.ts'
import { fileOf } from './history-file.ts'

const english = import.meta.glob<ResourceKey>('/locales/en/billing*.json', { import: 'default', eager: true })
const texts = i18next.createInstance()
void texts.init({
  lng: 'en',
  initAsync: false,
  ns: ['billing-history', 'billing'],
  defaultNS: 'billing-history',
  resources: {
    en: {
      billing: english['/locales/en/billing.json'] ?? {},
      'billing-history': english['/locales/en/billing-history.json'] ?? {},
    },
  },
})
const t = texts.t as unknown as TFunction<['billing-history', 'billing']>

const row: MoneyFlowRow = {
  money_flow_id: 1,
  amount: -490,
  currency: 'usd',
  date: '2026-03-01T10:00:00.000Z',
  type: 'plan_restream_buy',
  balance: 1000,
  details: null,
  title: '=cmd()',
  balance_type: 2,
  transaction_id: 1,
  payment_id: 7,
  payment_status: 'success',
  payout_id: null,
  user_: { user_id: 7, name: '+Ann', fename: '"B", C' },
}

test('billing check 14: writes amounts as numbers, and names that a spreadsheet would run as text', () => {
  const [head, line] = fileOf([row], t).split('\r\n')
  expect(head).toBe('\uFEFFDate,Movement,Details,User,Balance type,Amount,Balance after,Currency,Payment ID,Status')
  expect(line).toBe(
    `2026-03-01T10:00:00.000Z,Restream plan,'=cmd(),"'+Ann ""B"", C",Paid-in balance,-4.9,5.1,USD,7,Paid`,
  )
})
