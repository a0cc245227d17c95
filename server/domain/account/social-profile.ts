// Profile of a person as a social login provider reports it.
import type { SocialProvider } from '#contract/entities/account.ts'

/** What a provider reported at this sign-in. */
export interface SocialProfile {
  readonly provider: SocialProvider
  /** The provider's own id. Never an e-mail: those change hands. */
  readonly subject: string
  readonly firstName: string
  readonly lastName: string
  readonly photo: string | null
  /** Null unless the provider says that it has verified the e-mail. */
  readonly email: string | null
}
