// Fills a project to its limits directly in the database: through the API it would take minutes.
import { randomUUID } from 'node:crypto'
import { forms } from '#contract/platforms/forms.gen.ts'
import { type FormPlatform, keyPlatforms } from '#contract/platforms/platforms.ts'
import type { Services } from '#server/core/context.ts'
import { sealSecret } from '#server/domain/channels/secrets.ts'
import { foldText } from '#contract/core/fold.ts'
import { someAddress } from './channels.ts'

const types = [...(Object.keys(forms) as FormPlatform[]), ...keyPlatforms]
/** Databases limit the number of bound values in one statement. */
const rowsAtOnce = 500

/** Adds channels, every third of them switched on, and members to a project. */
export async function fillProject(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  projectId: number,
  counts: { readonly channels: number; readonly members: number },
): Promise<void> {
  const { db, clock } = services
  const date_create = clock.now().toISOString()
  for (const numbers of chunks(counts.channels)) {
    const made = await db
      .insertInto('channels')
      .values(
        numbers.map((number) => ({
          owner_project_id: projectId,
          user_id: null,
          type: types[number % types.length] ?? 'custom',
          name: `Channel ${number}`,
          name_folded: foldText(`Channel ${number}`),
          external_id: '',
          channel_url: '',
          photo: null,
          account_id: null,
          address: someAddress,
          secret_sealed: sealSecret(services, { key: `key-${number}`, query: '' }),
          settings: JSON.stringify({ title: `Stream ${number}`, description: 'A stream about something. '.repeat(20) }),
          date_create,
        })),
      )
      .returning('id')
      .execute()
    const links = made.map(({ id }, at) => ({
      project_id: projectId,
      channel_id: id,
      access_type: 2 as const,
      active: at % 3 === 0 ? (1 as const) : (0 as const),
      transcoder_id: null,
      delay_seconds: 0,
      date_create,
    }))
    await db.insertInto('project_channels').values(links).execute()
  }
  for (const numbers of chunks(counts.members)) await addMembers(services, projectId, numbers)
}

async function addMembers({ db, clock }: Pick<Services, 'db' | 'clock'>, projectId: number, numbers: number[]) {
  const date_create = clock.now().toISOString()
  const made = await db
    .insertInto('users')
    .values(
      numbers.map((number) => ({
        external_id: randomUUID(),
        installation_owner: null,
        email: `${randomUUID()}@example.com`,
        password_hash: null,
        first_name: `Member ${number}`,
        last_name: '',
        photo: null,
        language: 'en' as const,
        currency: 'usd' as const,
        country_id: 0,
        ref_id: randomUUID(),
        invited_by: null,
        last_project_id: projectId,
        date_create,
      })),
    )
    .returning('id')
    .execute()
  const members = made.map(({ id }) => ({ project_id: projectId, user_id: id, access_type: 0 as const, date_create }))
  await db.insertInto('project_members').values(members).execute()
}

const chunks = (count: number): number[][] =>
  Array.from({ length: Math.ceil(count / rowsAtOnce) }, (_, at) =>
    Array.from({ length: Math.min(rowsAtOnce, count - at * rowsAtOnce) }, (__, inside) => at * rowsAtOnce + inside + 1),
  )
