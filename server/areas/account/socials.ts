// Social logins of the signed-in user over HTTP.
import { socials } from '#contract/areas/account/socials.ts'
import { implement } from '#server/core/implement.ts'
import { listIdentities } from '#server/domain/account/identities.ts'
import { offeredProviders } from '#server/domain/account/sign-in-providers.ts'

export const socialRoutes = implement(socials, {
  list: async (_, { db, config, user }) => {
    const { identities, password } = await listIdentities({ db, config }, user.id)
    const results = identities.map(({ isLast, ...identity }) => ({ ...identity, last: isLast ? 1 : 0 }) as const)
    return { results, available: offeredProviders(config), password }
  },
})
