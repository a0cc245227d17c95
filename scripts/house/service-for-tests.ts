import { ensureService } from './build.ts'

/** Builds the service before its tests, because some run it as a program. @throws when the build fails */
export async function setup(): Promise<void> {
  if ((await ensureService()) !== 0) throw new Error('The service could not be built')
}
