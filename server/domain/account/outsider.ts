// A user as a social login provider describes them.
import type { SocialProvider } from '#contract/entities/account.ts'

/** Somebody, as a provider that has just been asked names them. */
export interface Outsider {
  readonly provider: SocialProvider
  /** The provider's own id. Never an e-mail: those change hands. */
  readonly subject: string
  readonly firstName: string
  readonly lastName: string
  readonly photo: string | null
  /** When the provider says that it has checked it, else null. */
  readonly email: string | null
}
