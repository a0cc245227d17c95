// Accounts of people on platforms, as every side knows them.
import * as z from 'zod/mini'

/** Platforms whose accounts can be connected. `vk-id` is VK by its newer sign-in. */
export const accountPlatforms = ['vk', 'vk-id', 'ok', 'youtube', 'trovo', 'twitch', 'vkvideolive'] as const
export const AccountPlatform = z.enum(accountPlatforms)
export type AccountPlatform = z.output<typeof AccountPlatform>

/** Platforms where one account has several places to stream to, which become channels one by one. */
export const placePlatforms = ['vk', 'ok'] as const
export type PlacePlatform = (typeof placePlatforms)[number]

/** Platforms with a list of categories to search in. */
export const categoryPlatforms = ['vk', 'youtube', 'trovo', 'twitch', 'vkvideolive'] as const
export type CategoryPlatform = (typeof categoryPlatforms)[number]
