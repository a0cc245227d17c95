// What the sign-in pages say, in every language of the API.
import type { Language } from '#contract/core/wire.ts'
import { passwordMin } from '#server/domain/accounts.ts'

const en = {
  signIn: 'Sign in',
  signUp: 'Create account',
  firstOwner: 'You are the first here: this account will own the service.',
  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: `At least ${passwordMin} characters. A sentence is easier to remember than signs.`,
  name: 'Name',
  haveAccount: 'I have an account',
  noAccount: 'I have no account yet',
  problem: 'That did not work',
  wrong: 'The e-mail or the password is not right.',
  emailInvalid: 'Enter an e-mail address.',
  passwordShort: `The password needs at least ${passwordMin} characters.`,
  nameMissing: 'Enter a name.',
  emailTaken: 'An account with this e-mail cannot be made. Perhaps you have one already.',
  closed: 'Accounts are made by invitation only. Ask the owner of this service for a link.',
  codeRejected: 'This link was used, or it is too old. Ask for a new one.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  expired: 'This page was open for too long. Please try again.',
  badReturn: 'This sign-in did not begin on a dashboard that this service knows. Go back and start again.',
  toDashboard: 'To the dashboard',
}

export type Texts = typeof en

const ru: Texts = {
  signIn: 'Вход',
  signUp: 'Создать аккаунт',
  firstOwner: 'Вы здесь первый: этот аккаунт станет владельцем сервиса.',
  email: 'Эл. почта',
  password: 'Пароль',
  newPassword: 'Новый пароль',
  passwordHint: `Не короче ${passwordMin} символов. Фразу запомнить легче, чем набор знаков.`,
  name: 'Имя',
  haveAccount: 'У меня есть аккаунт',
  noAccount: 'У меня ещё нет аккаунта',
  problem: 'Не получилось',
  wrong: 'Неверная почта или пароль.',
  emailInvalid: 'Укажите адрес электронной почты.',
  passwordShort: `Пароль должен быть не короче ${passwordMin} символов.`,
  nameMissing: 'Укажите имя.',
  emailTaken: 'Создать аккаунт с этой почтой нельзя. Возможно, он у вас уже есть.',
  closed: 'Аккаунты создаются только по приглашению. Попросите ссылку у владельца сервиса.',
  codeRejected: 'Ссылка уже использована или устарела. Попросите новую.',
  tooMany: 'Слишком много попыток. Подождите минуту и попробуйте снова.',
  expired: 'Страница была открыта слишком долго. Попробуйте ещё раз.',
  badReturn: 'Этот вход начат не с панели, которую знает сервис. Вернитесь и начните заново.',
  toDashboard: 'К панели управления',
}

const cn: Texts = {
  signIn: '登录',
  signUp: '创建账号',
  firstOwner: '您是第一位用户：此账号将成为本服务的所有者。',
  email: '电子邮箱',
  password: '密码',
  newPassword: '新密码',
  passwordHint: `至少 ${passwordMin} 个字符。用一句话作密码更容易记住。`,
  name: '姓名',
  haveAccount: '我已有账号',
  noAccount: '我还没有账号',
  problem: '操作未成功',
  wrong: '邮箱或密码不正确。',
  emailInvalid: '请输入电子邮箱地址。',
  passwordShort: `密码至少需要 ${passwordMin} 个字符。`,
  nameMissing: '请输入姓名。',
  emailTaken: '无法用此邮箱创建账号。您可能已经注册过。',
  closed: '仅限受邀创建账号。请向本服务的所有者索取链接。',
  codeRejected: '此链接已被使用或已过期。请索取新的链接。',
  tooMany: '尝试次数过多。请稍等一分钟再试。',
  expired: '页面打开时间过长，请重试。',
  badReturn: '此次登录并非从本服务认可的控制台发起。请返回并重新开始。',
  toDashboard: '前往控制台',
}

export const texts: Readonly<Record<Language, Texts>> = { en, ru, cn }

/** Language tags of HTML for the wire's codes. */
export const htmlLang: Readonly<Record<Language, string>> = { en: 'en', ru: 'ru', cn: 'zh-CN' }
