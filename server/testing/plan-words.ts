// Words about plans and money: no text has them where plans do not apply.
import type { Language } from '#contract/core/wire.ts'

/** Matches such words in a text. */
export const planWords: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:plans?|tariffs?|business|balances?|gifts?|prices?|priced|payments?|paid|billing|subscriptions?|invoices?|promo|coupons?|payouts?|refunds?|renew(?:s|al|als)?)\b|^none$/i,
  ru: /(?<!\p{L})(?:тариф|план(?!иров)|бизнес|баланс|подар|цен(?:а|ы|у|е|ой)(?!\p{L})|оплат|платеж|платёж|подписк|счёт(?:а|ов)?(?!\p{L})|промокод|купон|выплат|возврат(?:а|ы)? (?:денег|средств)|продлени)/iu,
  cn: /套餐|余额|赠送|价格|付款|支付|账单|订阅|优惠码|优惠券|提现|退款|续费|商业/,
}
