// Socials: accounts at other services that a user can sign in with. auth.ts connects and disconnects them.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { Id, listOf, Nothing } from '#contract/core/wire.ts'
import { SocialProvider } from '#contract/entities/account.ts'
import { Provider } from './auth.ts'

/** A connected account. */
export const Social = z.object({
  id: Id,
  provider: SocialProvider,
  /** Name of the user at the provider. */
  name: z.string(),
  photo: maybe(z.string()),
  date_create: DateTime,
  /** 1: the last sign-in method, so it cannot be disconnected. */
  last: z.union([z.literal(0), z.literal(1)]),
})
export type Social = z.output<typeof Social>

export const socials = group(
  'account.socials',
  { prefix: 'socials', title: 'Socials' },
  {
    list: read('list', {
      name: 'Social list for user',
      input: Nothing,
      output: z.extend(listOf(Social), {
        /** Providers that can be connected, by the name that auth/connect takes. */
        available: z.array(Provider),
        /** The user can sign in with a password. */
        password: z.boolean(),
      }),
      auth: 'session',
      scope: 'profile:read',
      provenance: 'published',
      carries: [],
    }),
  },
)
