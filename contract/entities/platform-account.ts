// Kinds of platform accounts.
import * as z from 'zod/mini'

/** Platforms whose accounts can be connected. `vk-id` is VK with its newer sign-in. */
export const accountPlatforms = ['vk', 'vk-id', 'ok', 'youtube', 'trovo', 'twitch', 'vkvideolive', 'kick'] as const
export const AccountPlatform = z.enum(accountPlatforms)
export type AccountPlatform = z.output<typeof AccountPlatform>

/** Platforms where one account has several streaming targets, each of which becomes a channel. */
export const placePlatforms = ['vk', 'ok'] as const
export type PlacePlatform = (typeof placePlatforms)[number]

/** Platforms with a searchable list of categories. */
export const categoryPlatforms = ['vk', 'youtube', 'trovo', 'twitch', 'vkvideolive'] as const
export type CategoryPlatform = (typeof categoryPlatforms)[number]

/** Platforms that ask for permissions of their own to write and moderate in chat. */
export const chatPermissionPlatforms: readonly AccountPlatform[] = ['twitch', 'vkvideolive', 'trovo', 'kick']
