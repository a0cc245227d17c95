// Manual invoice as pages and papers show it.
import type { PayProviderFacts } from './facts.ts'

export const invoice: PayProviderFacts = {
  texts: {
    en: {
      title: 'Invoice',
      text: 'Bank transfer. The balance changes when the transfer arrives.',
      name: 'Invoice',
      paper: 'Bank transfer',
    },
    ru: {
      title: 'Счёт',
      text: 'Банковский перевод. Баланс пополнится, когда придут деньги.',
      name: 'Счёт',
      paper: 'Банковский перевод',
    },
    cn: { title: '账单（银行转账）', text: '银行转账，到账后更新余额。', name: '账单', paper: '银行转账' },
  },
}
