// The places of several accounts as one list: what two accounts lead to stands in it once.
import type { AccountChannel } from '#contract/areas/channels/platforms.ts'
import type { AccountRow } from '#server/domain/platforms/providers/accounts-store.ts'
import { named, type Place } from '#server/domain/platforms/providers/provider.ts'

interface Found {
  readonly account: AccountRow
  readonly places: readonly Place[]
  readonly connected: ReadonlyMap<string, number>
}

/** One page of the places, by name. */
export function pageOfPlaces(
  found: readonly Found[],
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

function joined(found: readonly Found[]): ReadonlyMap<string, AccountChannel> {
  const rows = new Map<string, AccountChannel>()
  for (const { account, places, connected } of found) {
    const through = { id: account.external_id, name: account.name, avatar: account.avatar, internalId: account.id }
    for (const { id, name, photo, members } of places) {
      const row = rows.get(id)
      if (row) row.accounts.push(through)
      else rows.set(id, { id, name, photo, members, connectedId: connected.get(id) ?? null, accounts: [through] })
    }
  }
  return rows
}
