// Profile of a user at a social login provider.
import type { SocialProvider } from '#contract/entities/account.ts'

/** Profile that a provider reported at a sign-in. */
export interface SocialProfile {
  readonly provider: SocialProvider
  /** The provider's own id. Never an e-mail: its owner may change. */
  readonly subject: string
  readonly firstName: string
  readonly lastName: string
  readonly photo: string | null
  /** Null unless the provider reports that it has verified the e-mail. */
  readonly email: string | null
}
