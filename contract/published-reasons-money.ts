// Differences of operations of tariffs and billing from the published list, with reasons (see published-reasons.ts).
const paymentFields = () => ({
  '+ answer pay_name': 'the provider',
  '+ answer pay_system_id': 'the way to pay',
  '+ answer reason': 'why it failed',
  '+ answer review': 'waits for the operator',
  '+ answer purchase*': 'outcome of the purchase of a plan',
  '+ answer credited': 'the amount that arrived, which may differ',
  '+ answer debt_paid': 'the part that paid a debt of the project',
  '+ answer refunded': 'returned to the customer',
  '+ answer disputed': 'withdrawn by a chargeback',
  '+ answer instructions': 'an invoice is paid outside of a provider page',
  '+ answer date*': 'pages sort by it',
})

export const moneyReasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'billing.payouts.create': {
    '+ parameter idempotency_key?': 'decided: the same key creates one payout, whatever the number of calls',
  },
  'billing.referrals.info': {
    '+ answer percent': 'the share is published nowhere',
    '+ answer link': 'the link to invite with',
    '+ answer waiting*': 'earnings that are not booked yet',
  },
  'tariffs.promo.check': {
    '+ answer amount': 'the effect of the code, before it is used',
    '+ answer percent': 'the effect of the code, before it is used',
    '+ answer currency': 'the effect of the code, before it is used',
    '+ answer plan*': 'the effect of the code, before it is used',
  },
  'billing.pay-settings.get': { '+ answer result.tax_id': 'printed on papers' },
  'billing.pay-settings.set': { '+ parameter tax_id?': 'printed on papers' },
  'billing.pay-settings.checkCountry': {
    '+ answer country.*': 'published as an object without fields',
    '+ answer balance.*': 'published as an object without fields',
  },
  'billing.payments.get': {
    ...paymentFields(),
  },
  'billing.payments.create': {
    '+ parameter plan_period?=month|quarter|year': 'operators sell quarters',
    '- parameter plan_period?=month|year': 'see above',
    '+ parameter type=*': '`top_up` is what the published example calls a top-up',
    '- parameter type=*': '`top_up` is what the published example calls a top-up',
    '+ parameter promo_code?': 'a code lowers the price of the purchase',
    '+ parameter pay_system_id?': 'a project may have several ways to pay',
    '+ parameter method_id?': 'a saved method pays without a redirect',
    '+ parameter save?=0|1': 'renewals charge a saved method',
    '+ parameter idempotency_key?': 'a payment whose answer was lost can be requested again',
  },
  'billing.payments.list': { '+ parameter project_id?': 'users have several projects' },
  'billing.pay-systems.list': {
    '+ answer results[].pay_name': 'as in the payment, so that pages have their own texts',
  },
  'tariffs.restream.slots': {
    '+ answer before.date_start': 'one shape for the three slots; only `next` is sent with it',
    '+ answer current.date_start': 'one shape for the three slots; only `next` is sent with it',
    '+ answer next.date_start': 'the same slot in list/project has it, and a queued plan needs it',
  },
  'tariffs.restream.offers': {
    '+ answer results[].price.quarter': 'operators sell quarters',
    '+ answer results[].own_tariff.*': 'one shape for the three slots, wherever they stand',
  },
  'tariffs.restream.check': {
    '+ parameter promo_code?': 'a code lowers the price of the purchase',
    '+ answer promo_off': 'what a code takes off the price',
    '+ parameter period=month|quarter|year': 'operators sell quarters',
    '- parameter period=month|year': 'see above',
    '+ answer tariff_price_quarter': 'operators sell quarters',
    '+ parameter use_balance?=0|1': 'published as a number that is a flag',
    '- parameter use_balance?': 'published as a number that is a flag',
  },
  'tariffs.restream.buy': {
    '+ parameter promo_code?': 'a code lowers the price of the purchase',
    '+ parameter period=month|quarter|year': 'operators sell quarters',
    '- parameter period=month|year': 'see above',
    '+ parameter quote_total?': 'a price that changed since the quote refuses instead of charging',
    '+ parameter idempotency_key?': 'a purchase whose answer was lost can be sent again',
  },
}
