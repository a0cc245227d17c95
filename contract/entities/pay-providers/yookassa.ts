// YooKassa as pages and papers show it.
import type { PayProviderFacts } from './facts.ts'

export const yookassa: PayProviderFacts = {
  sendsReceipts: true,
  texts: {
    en: { title: 'YooKassa', text: 'Card, SBP or wallet. You pay on the page of YooKassa.', name: 'YooKassa' },
    ru: { title: 'ЮKassa', text: 'Карта, СБП или кошелёк. Оплата на странице ЮKassa.', name: 'ЮKassa' },
    cn: { title: 'YooKassa', text: '银行卡、SBP 或钱包，在 YooKassa 页面付款。', name: 'YooKassa' },
  },
}
