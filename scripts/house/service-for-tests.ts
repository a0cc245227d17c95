import { ensureService } from './build.ts'

/** Before tests of the service: those that run it as a program run what people run. @throws when it cannot be built */
export async function setup(): Promise<void> {
  if ((await ensureService()) !== 0) throw new Error('The service could not be built')
}
