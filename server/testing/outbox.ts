// Sends the notifications of a test service that are due at its clock.
import { runOutbox } from '#server/delivery/outbox.ts'
import type { World } from './test-app.ts'

/** Runs the outbox until nothing is due, at most 100 rounds. */
export async function sendNotifications({ services }: Pick<World, 'services'>): Promise<void> {
  for (let round = 0; round < 100 && (await runOutbox(services)) > 0; round++);
}
