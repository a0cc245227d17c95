// Facts of payment providers that pages and papers show. One file for each provider.
import type { Language } from '#contract/core/wire.ts'

/** Texts of a provider in one language. */
export interface PayProviderTexts {
  /** Title among the ways to pay. */
  readonly title: string
  /** Sentences about the way to pay, without its limits. */
  readonly text: string
  readonly name: string
  /** Name on papers; default: `name`. */
  readonly paper?: string
}

/** Facts of a provider. */
export interface PayProviderFacts {
  readonly texts: Readonly<Record<Language, PayProviderTexts>>
  /** Sends closing receipts by 54-FZ. */
  readonly sendsReceipts?: true
}
