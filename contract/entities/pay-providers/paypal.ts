// PayPal as pages and papers show it.
import type { PayProviderFacts } from './facts.ts'

export const paypal: PayProviderFacts = {
  texts: {
    en: {
      title: 'PayPal',
      text: 'PayPal account or card. You pay on the page of PayPal. It cannot renew plans automatically.',
      name: 'PayPal',
    },
    ru: {
      title: 'PayPal',
      text: 'Счёт PayPal или карта. Оплата на странице PayPal. Автопродление этим способом недоступно.',
      name: 'PayPal',
    },
    cn: { title: 'PayPal', text: 'PayPal 账户或银行卡，在 PayPal 页面付款。不支持自动续订。', name: 'PayPal' },
  },
}
