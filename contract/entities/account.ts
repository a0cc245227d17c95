// Schemas of accounts.
import * as z from 'zod/mini'

/** Length of a password, characters. */
export const passwordMin = 10
export const passwordMax = 256

/** Providers of social logins. `vk` and `vk-id` lead to the same VK account. */
export const SocialProvider = z.enum(['google', 'vk', 'telegram'])
export type SocialProvider = z.output<typeof SocialProvider>

/**
 * Mode of sign-up. `auto`: the first account, people invited to a project, and every visitor while plans apply; `open`: every visitor;
 * `invite`: people invited to a project; `closed`: codes of operators only.
 */
export const SignUpMode = z.enum(['auto', 'open', 'invite', 'closed'])
export type SignUpMode = z.output<typeof SignUpMode>

/** Users of whom the installation demands a second factor. */
export const FactorDemand = z.enum(['none', 'operators', 'all'])
export type FactorDemand = z.output<typeof FactorDemand>
