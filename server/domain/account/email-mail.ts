// What is written to the new e-mail of an account and to the old one, in the language of whoever changes it.
import type { Language } from '#contract/core/wire.ts'
import { maskedEmail } from './accounts.ts'
import type { Mail } from './mail.ts'

interface Texts {
  readonly confirm: string
  readonly how: string
  readonly unexpected: string
  readonly changing: string
  readonly told: (to: string) => string
  readonly notMine: string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: 'Confirm your e-mail for Relaydeck',
    how: 'Somebody, probably you, wants to sign in to Relaydeck with this address. Open this link to agree. It works once, within an hour:',
    unexpected: 'If it was not you, leave the link alone: nothing happens then.',
    changing: 'Your e-mail for Relaydeck is being changed',
    told: (to) =>
      `Somebody, probably you, is changing the e-mail of your account to ${to}. This address counts until the new one is confirmed, and no longer.`,
    notMine:
      'If it was not you, change your password now: that stops it. Then look in Account → Sessions who is signed in.',
  },
  ru: {
    confirm: 'Подтвердите почту для Relaydeck',
    how: 'Кто-то, вероятно вы, хочет входить в Relaydeck с этим адресом. Чтобы согласиться, откройте ссылку. Она сработает один раз, в течение часа:',
    unexpected: 'Если это были не вы, не открывайте ссылку: ничего не произойдёт.',
    changing: 'Почта вашего аккаунта Relaydeck меняется',
    told: (to) =>
      `Кто-то, вероятно вы, меняет почту вашего аккаунта на ${to}. Этот адрес действует, пока новый не подтверждён.`,
    notMine:
      'Если это были не вы, сразу смените пароль: это остановит смену почты. Затем посмотрите в разделе «Аккаунт → Сеансы», кто вошёл.',
  },
  cn: {
    confirm: '请确认您在 Relaydeck 的邮箱',
    how: '有人（可能是您）希望使用此邮箱登录 Relaydeck。如果同意，请打开以下链接。链接仅可使用一次，一小时内有效：',
    unexpected: '如果不是您本人操作，请忽略该链接，不会有任何影响。',
    changing: '您的 Relaydeck 账号邮箱正在更改',
    told: (to) => `有人（可能是您）正在将您账号的邮箱改为 ${to}。在新邮箱确认之前，此邮箱仍然有效。`,
    notMine: '如果不是您本人操作，请立即修改密码，即可阻止更改。然后在“账户 → 登录会话”中查看有谁登录。',
  },
}

/** To the new address. */
export const confirmMail = (language: Language, link: string): Mail => {
  const { confirm, how, unexpected } = texts[language]
  return { subject: confirm, text: `${how}\n${link}\n\n${unexpected}\n` }
}

/** To the old address. @param to the new one, shown so that those who know it recognise it */
export const changingMail = (language: Language, to: string): Mail => {
  const { changing, told, notMine } = texts[language]
  return { subject: changing, text: `${told(maskedEmail(to))}\n\n${notMine}\n` }
}
