// Forgets what nobody can use any more: codes, refresh tokens and sign-ins that are over, loads of servers of yesterday,
// and every second of a broadcast that is long over.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { thinSamples } from '#server/domain/broadcasts/samples.ts'
import { sweepStates } from '#server/domain/account/oauth-state.ts'
import { forgetOldReports } from '#server/domain/ingest/nodes.ts'

/** How long an ended sign-in stays visible to whoever looks into what happened. */
const keepMs = 30 * 86_400_000

/** One round. Safe to run on any number of replicas. */
export async function sweep(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const { db, clock } = services
  await sweepStates(services)
  const now = clock.now()
  const old = iso(later(now, -keepMs))
  await db.deleteFrom('codes').where('date_expire', '<', old).execute()
  await db.deleteFrom('refresh_tokens').where('date_expire', '<', iso(now)).execute()
  await db
    .deleteFrom('token_families')
    .where((eb) => eb.or([eb('date_max', '<', old), eb('date_revoke', '<', old)]))
    .execute()
  await forgetOldReports({ db, clock })
  await thinSamples({ db, clock })
}
