// Texts of the sign-in pages.
import type { Language } from '#contract/core/wire.ts'
import { passwordMin } from '#contract/entities/account.ts'
import cn from '#locales/cn/service/sign-in.json' with { type: 'json' }
import en from '#locales/en/service/sign-in.json' with { type: 'json' }
import ru from '#locales/ru/service/sign-in.json' with { type: 'json' }
import { fill } from '#server/core/locale.ts'

export type Texts = typeof en

const withLimits = (texts: Texts): Texts => ({
  ...texts,
  passwordHint: fill(texts.passwordHint, { min: passwordMin }),
  passwordShort: fill(texts.passwordShort, { min: passwordMin }),
})

export const texts: Readonly<Record<Language, Texts>> = { en: withLimits(en), ru: withLimits(ru), cn: withLimits(cn) }
