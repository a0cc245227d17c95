// Stripe as pages and papers show it.
import type { PayProviderFacts } from './facts.ts'

export const stripe: PayProviderFacts = {
  texts: {
    en: { title: 'Card (Stripe)', text: 'You pay on the page of Stripe.', name: 'Stripe' },
    ru: { title: 'Карта (Stripe)', text: 'Оплата на странице Stripe.', name: 'Stripe' },
    cn: { title: '银行卡（Stripe）', text: '在 Stripe 页面付款。', name: 'Stripe' },
  },
}
