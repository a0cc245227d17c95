// Platform channels of several accounts, without duplicates.
import type { AccountChannel } from '#contract/areas/channels/platforms.ts'
import type { AccountRow } from '#server/domain/platforms/accounts-store.ts'
import { named, type PlatformChannel } from '#server/core/platform-adapter.ts'

interface AccountChannels {
  readonly account: AccountRow
  readonly channels: readonly PlatformChannel[]
  readonly connected: ReadonlyMap<string, number>
}

/** Returns a page of platform channels, sorted by name. */
export function pageOfPlatformChannels(
  found: readonly AccountChannels[],
  {
    q,
    sort,
    limit,
    page,
  }: { readonly q: string; readonly sort: 'asc' | 'desc'; readonly limit: number; readonly page: number },
) {
  const way = sort === 'asc' ? 1 : -1
  const all = named([...joined(found).values()], q).toSorted((a, b) => way * a.name.localeCompare(b.name))
  const totalPages = Math.max(1, Math.ceil(all.length / limit))
  return {
    results: all.slice((page - 1) * limit, page * limit),
    totalItems: all.length,
    totalPages,
    currentPage: page,
    // The last one stays the last.
    nextPage: Math.min(page + 1, totalPages),
  }
}

function joined(found: readonly AccountChannels[]): ReadonlyMap<string, AccountChannel> {
  const rows = new Map<string, AccountChannel>()
  for (const { account, channels, connected } of found) {
    const through = { id: account.external_id, name: account.name, avatar: account.avatar, internalId: account.id }
    for (const { id, name, photo, members } of channels) {
      const row = rows.get(id)
      if (row) row.accounts.push(through)
      else rows.set(id, { id, name, photo, members, connectedId: connected.get(id) ?? null, accounts: [through] })
    }
  }
  return rows
}
