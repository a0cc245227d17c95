// Planned broadcasts at YouTube: `liveBroadcasts.insert`, `update` and `delete` (developers.google.com/youtube/v3/live/docs).
// What healing does as well is shared with it.
import * as z from 'zod/mini'
import type { BroadcastMark, PlannedDetails, Planning } from '#server/core/platform-adapter.ts'
import { base } from './api.ts'
import { broadcastOf, healing, insertBroadcast } from './healing.ts'

const url = `${base}/liveBroadcasts`
/** Longest title, characters. */
const titleMax = 100
const Changed = z.object({})

const textsOf = ({ title, startAt }: BroadcastMark, { description }: PlannedDetails) => ({
  title,
  description,
  scheduledStartTime: startAt,
})

/** @param before of the broadcast: an update replaces the whole part */
const statusOf = ({ privacy, audience }: PlannedDetails, before?: boolean) => ({
  privacyStatus: privacy,
  selfDeclaredMadeForKids: audience === null ? before : audience === 'mark_for_kids',
})

export const planning: Planning = {
  findMade: healing.findMade,
  bind: healing.bind,
  stateOf: healing.stateOf,
  pageOf: healing.pageOf,

  // YouTube refuses angle brackets.
  titleOf: (title) => title.replace(/[<>]/g, '').trim().slice(0, titleMax),

  insert: (api, mark, details) =>
    insertBroadcast(
      api,
      {
        snippet: { description: details.description },
        status: statusOf(details),
        contentDetails: { enableAutoStop: details.isStopped, latencyPreference: details.latency ?? undefined },
      },
      mark,
    ),

  async update(api, id, mark, details) {
    const there = await broadcastOf(api, id)
    if (!there) return false
    const status = statusOf(details, there.status.selfDeclaredMadeForKids)
    const json = { id, snippet: textsOf(mark, details), status }
    await api.call({ url, method: 'PUT', query: { part: 'snippet,status' }, json }, Changed)
    return true
  },

  async remove(api, id) {
    await api.call({ url, method: 'DELETE', query: { id } }, Changed)
  },
}
