// What accounts are made of, wherever they are spoken of.
import * as z from 'zod/mini'

/** Length of a password, characters. */
export const passwordMin = 10
export const passwordMax = 256

/** Where else somebody can have an account to sign in with. Both ways to ask VK lead to the same account. */
export const SocialProvider = z.enum(['google', 'vk', 'telegram'])
export type SocialProvider = z.output<typeof SocialProvider>
