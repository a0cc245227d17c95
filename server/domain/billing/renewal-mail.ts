// E-mails about automatic renewals, to the owners of a project in their language.
import type { Language } from '#contract/core/wire.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Services } from '#server/core/context.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { decimalOf } from './decimal.ts'
import type { RenewalNews } from './renewals.ts'
import { listOwnerContacts } from './renewal-store.ts'

interface Facts {
  readonly plan: string
  readonly line: string
  readonly price: string
  readonly end: string
  readonly next: string
  readonly reason: string
}

type Texts = Readonly<Record<RenewalNews['kind'], (facts: Facts) => readonly [subject: string, text: string]>>

const lines: Readonly<Record<Language, Readonly<Record<LineName, string>>>> = {
  en: { restream: 'Restream', transcoding: 'Transcoding', storage: 'Storage' },
  ru: { restream: 'Рестриминг', transcoding: 'Транскодирование', storage: 'Хранилище' },
  cn: { restream: '转播', transcoding: '转码', storage: '存储' },
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    ahead: ({ plan, line, price, end, next }) => [
      `${line}: “${plan}” renews soon`,
      `The plan ends on ${end} (UTC). It renews automatically from ${next} (UTC) for ${price}. You can switch the renewal off.`,
    ],
    renewed: ({ plan, line, price }) => [
      `${line}: “${plan}” was renewed`,
      `The plan was renewed for ${price}. The receipt is in the billing history.`,
    ],
    failed: ({ plan, line, price, end, next, reason }) => [
      `${line}: “${plan}” could not be renewed`,
      `The renewal for ${price} failed: ${reason}. The next try is on ${next} (UTC). The plan ends on ${end} (UTC).`,
    ],
    stopped: ({ plan, line, price, end, reason }) => [
      `${line}: “${plan}” will end`,
      `The renewal for ${price} failed: ${reason}. It is not tried again. The plan ends on ${end} (UTC).`,
    ],
  },
  ru: {
    ahead: ({ plan, line, price, end, next }) => [
      `${line}: тариф «${plan}» скоро продлится`,
      `Тариф действует до ${end} (UTC). Он продлится автоматически с ${next} (UTC) за ${price}. Продление можно отключить.`,
    ],
    renewed: ({ plan, line, price }) => [
      `${line}: тариф «${plan}» продлён`,
      `Тариф продлён за ${price}. Квитанция находится в истории платежей.`,
    ],
    failed: ({ plan, line, price, end, next, reason }) => [
      `${line}: не удалось продлить тариф «${plan}»`,
      `Продление за ${price} не прошло: ${reason}. Следующая попытка: ${next} (UTC). Тариф действует до ${end} (UTC).`,
    ],
    stopped: ({ plan, line, price, end, reason }) => [
      `${line}: тариф «${plan}» закончится`,
      `Продление за ${price} не прошло: ${reason}. Повторных попыток не будет. Тариф действует до ${end} (UTC).`,
    ],
  },
  cn: {
    ahead: ({ plan, line, price, end, next }) => [
      `${line}：“${plan}”即将续订`,
      `套餐将于 ${end}（UTC）到期，并将从 ${next}（UTC）起以 ${price} 自动续订。您可以关闭自动续订。`,
    ],
    renewed: ({ plan, line, price }) => [
      `${line}：“${plan}”已续订`,
      `套餐已以 ${price} 续订。收据可在账单历史中查看。`,
    ],
    failed: ({ plan, line, price, end, next, reason }) => [
      `${line}：“${plan}”续订失败`,
      `以 ${price} 续订失败：${reason}。下次尝试时间：${next}（UTC）。套餐将于 ${end}（UTC）到期。`,
    ],
    stopped: ({ plan, line, price, end, reason }) => [
      `${line}：“${plan}”即将到期`,
      `以 ${price} 续订失败：${reason}。不会再次尝试。套餐将于 ${end}（UTC）到期。`,
    ],
  },
}

/** Reasons in words; others are codes of the provider. */
const reasons: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    no_method: 'the balance is too low and no payment method is saved',
    insufficient_funds: 'insufficient funds',
    card_expired: 'the card has expired',
    price_not_told: 'the price has risen without a notice a week ahead',
    balance_spent: 'the charged money was spent',
  },
  ru: {
    no_method: 'на балансе недостаточно денег, а способ оплаты не сохранён',
    insufficient_funds: 'недостаточно средств',
    card_expired: 'срок действия карты истёк',
    price_not_told: 'цена выросла без уведомления за неделю',
    balance_spent: 'списанные деньги потрачены',
  },
  cn: {
    no_method: '余额不足，且未保存付款方式',
    insufficient_funds: '资金不足',
    card_expired: '银行卡已过期',
    price_not_told: '涨价未提前一周通知',
    balance_spent: '已扣款项已被使用',
  },
}

/** Returns the e-mail about a change. Null without the plan, for a renewal that was switched off. */
export function renewalMail(news: RenewalNews, language: Language) {
  const { kind, plan, line, end, next, reason } = news
  if (plan === null) return null
  const [subject, text] = texts[language][kind]({
    plan: plan.title,
    line: lines[language][line],
    price: `${decimalOf(plan.price)} ${plan.currency.toUpperCase()}`,
    end: timeText(end),
    next: next === null ? '' : timeText(next),
    reason: reason === null ? '' : (reasons[language][reason] ?? reason),
  })
  return { subject, text }
}

const timeText = (instant: string): string => instant.slice(0, 16).replace('T', ' ')

/** Sends the e-mails about a change, one to each owner. */
export async function mailRenewal(services: Pick<Services, 'db' | 'config' | 'log'>, news: RenewalNews): Promise<void> {
  for (const { email, language } of await listOwnerContacts(services.db, news.projectId)) {
    const mail = renewalMail(news, language)
    if (!mail) return
    const link = (origin: string) => `${origin}/p/${news.projectId}/billing/cards`
    await sendMail(services, email, (origin) => ({ ...mail, text: `${mail.text}\n\n${link(origin)}\n` }))
  }
}
