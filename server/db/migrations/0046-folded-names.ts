// Folded names of channels that compatibility forms made longer: `foldText` leaves such forms. Messages of chats end by retention.
import { type Kysely, sql } from 'kysely'

interface Names {
  channels: { id: number; name: string; name_folded: string }
}

/** `foldText` at the time of this migration. */
const fold = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/[^\0-\x7F]/gu, (char) => (char.normalize('NFKC').length > char.length ? char : char.normalize('NFKC')))
    .normalize('NFC')
    .toLowerCase()

export async function up(db: Kysely<Names>): Promise<void> {
  const longer = await db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where(sql<boolean>`length(name_folded) > length(name)`)
    .execute()
  for (const { id, name } of longer)
    await db
      .updateTable('channels')
      .set({ name_folded: fold(name) })
      .where('id', '=', id)
      .execute()
}
