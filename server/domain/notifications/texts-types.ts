// Form of the texts of notifications in one language.
import type { CreatedKind, KindParams } from './kinds.ts'

/** Title and text. */
export type TitleAndText = readonly [title: string, text: string]

/** Texts of one language. */
export interface Texts {
  readonly kinds: { readonly [K in CreatedKind]: (params: KindParams[K]) => TitleAndText }
  /** Title of one message about several notifications. */
  readonly more: (count: number) => string
  readonly accept: readonly [title: string, done: string]
  readonly decline: readonly [title: string, done: string]
  /** Label of the link of a notification. */
  readonly open: string
  /** Line below e-mails. @param url page of the settings */
  readonly settings: (url: string) => string
  readonly telegram: Readonly<Record<'linked' | 'expired' | 'stopped' | 'unknown', (name: string) => string>>
}
