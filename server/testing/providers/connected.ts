// Service that is registered at all platforms, and helpers that connect accounts there.
import { platforms } from '#contract/areas/channels/platforms.ts'
import type { AccountPlatform } from '#contract/platforms/platforms.ts'
import type { Person, World } from '#server/testing/test-app.ts'

/** Settings of a service that is registered at every provider; all providers share one address. */
export const registeredAt = (base: string): Record<string, string> => ({
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  TWITCH_CLIENT_ID: 'twitch-id',
  TWITCH_CLIENT_SECRET: 'twitch-secret',
  TROVO_CLIENT_ID: 'trovo-id',
  TROVO_CLIENT_SECRET: 'trovo-secret',
  VKVIDEOLIVE_CLIENT_ID: 'vkvl-id',
  VKVIDEOLIVE_CLIENT_SECRET: 'vkvl-secret',
  VK_CLIENT_ID: 'vk-id',
  VK_CLIENT_SECRET: 'vk-secret',
  OK_CLIENT_ID: 'ok-id',
  OK_CLIENT_SECRET: 'ok-secret',
  OK_PUBLIC_KEY: 'ok-public',
  KICK_CLIENT_ID: 'kick-id',
  KICK_CLIENT_SECRET: 'kick-secret',
  PROVIDER_BASES: ['google', 'twitch', 'trovo', 'vkvideolive', 'vk', 'ok', 'kick', 'telegram']
    .map((name) => `${name}=${base}`)
    .join(','),
})

/** Begins to connect an account. @returns the state that the platform receives */
export async function begin({ api }: Pick<World, 'api'>, person: Person, platform: AccountPlatform): Promise<string> {
  const { body, error } = await api(platforms.connect, { project_id: person.projectId, platform }, { as: person })
  if (error) throw new Error(error.msg)
  return new URL(body.url).searchParams.get('state') ?? ''
}

/** Redirects the browser back from the platform. @returns the next address, and the ticket in it */
export async function comeBack(
  { app }: Pick<World, 'app'>,
  platform: AccountPlatform,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly location: string; readonly ticket: string }> {
  const url = platforms.callback.path.replace('{provider}', platform)
  const { statusCode, headers } = await app.inject({ method: 'GET', url, query })
  const { location = '' } = headers
  return { status: statusCode, location: String(location), ticket: ticketIn(location) }
}

/** Returns the ticket in the address that the browser is redirected to. */
export const ticketIn = (location: unknown): string => String(location).split('#connect=')[1] ?? ''

/** Connects an account, from begin to end. */
export async function connect(world: World, person: Person, platform: AccountPlatform) {
  const state = await begin(world, person, platform)
  const { ticket } = await comeBack(world, platform, { state, code: 'good' })
  return await world.api(platforms.finish, { state: ticket }, { as: person })
}
