// Set-up for tests that send real streams to a platform with faults.
import { type FaultyPlatform, faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

/** A service that listens, a user with a project, and a platform. */
export interface LiveStage {
  readonly world: World
  readonly ann: Person
  readonly platform: FaultyPlatform
  /** Address of the service. */
  readonly url: string
}

/** Starts a service that admits platforms on this machine. It runs on the real clock, as streams do. */
export async function liveStage(): Promise<LiveStage> {
  const world = await testApp({ ALLOW_PRIVATE_DESTINATIONS: 'on' })
  world.clock.set(new Date())
  const ann = await world.user()
  const platform = await faultyPlatform()
  const { url } = await world.app.listen()
  return { world, ann, platform, url }
}
