// Pull keys of a project over HTTP.
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { keyPlaceholder } from '#contract/entities/ingest.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { masked } from '#server/core/secrets.ts'
import { fetchable, listNodeServers, nodeOnAir, type Server } from '#server/domain/ingest/servers.ts'
import { findOnAir } from '#server/domain/broadcasts/store.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import {
  createPullKey,
  getPullKey,
  listPullKeys,
  type PullKey,
  removePullKey,
  updatePullKey,
} from '#server/domain/ingest/pull-keys.ts'
import { pullsOnAir } from '#server/domain/broadcasts/pulls.ts'
import { type Asked, pullUrls } from './server-present.ts'

export const pullKeyRoutes = implement(pullKeys, {
  list: async ({ project_id }, ctx) => {
    const isMasked = !roleCan(ctx.project.accessType, 'editor')
    const keys = await listPullKeys(ctx, project_id)
    const here = await nodeOnAir(ctx.db, await findOnAir(ctx.db, project_id))
    const servers = fetchable(await listNodeServers(ctx)).toSorted(
      (a, b) => Number(b.id === here?.id) - Number(a.id === here?.id),
    )
    const { pullLinkMax } = await limitsOf(ctx, ctx.db, project_id)
    const used = await pullsOnAir(ctx, project_id)
    const results = keys.map(({ id, key, transport, name, region, status }) => ({
      id,
      uuid: isMasked ? masked(key) : key,
      transport,
      name,
      region,
      shareUrl: isMasked ? '' : addressOf({ id, key, transport, region }, servers, ctx),
      status: used.has(id) ? ('active' as const) : status,
      viewers: used.get(id)?.viewers ?? 0,
      bitrate: used.get(id)?.kbps ?? 0,
    }))
    return { results, limit: pullLinkMax, masked: isMasked }
  },

  create: async ({ project_id, transport, name = '' }, ctx) => ({
    id: await createPullKey(ctx, { projectId: project_id, userId: ctx.user.id }, { transport, name }),
  }),

  update: async ({ project_id, key, region, name }, ctx) => {
    if (region) {
      const regions = fetchable(await listNodeServers(ctx)).map(({ city }) => city)
      if (!regions.includes(region)) throw new RuleError('RegionNotFound', { regions })
    }
    await updatePullKey(ctx, { projectId: project_id, userId: ctx.user.id }, key, { region, name })
    return { success: true }
  },

  remove: async ({ project_id, key }, ctx) => {
    await removePullKey(ctx, { projectId: project_id, userId: ctx.user.id }, key)
    return { success: true }
  },

  check: async ({ project_id, key }, ctx) => {
    const { id, transport, status } = await getPullKey(ctx, project_id, key)
    const isUsed = (await pullsOnAir(ctx, project_id)).has(id)
    return { transport, status: isUsed ? ('active' as const) : status, key }
  },
})

/** Where a key is fetched: in its region, else at the first server; empty where none has its transport. @param servers where it is on air first */
function addressOf(
  { id, key, transport, region }: Pick<PullKey, 'id' | 'key' | 'transport' | 'region'>,
  servers: readonly Server[],
  asked: Pick<Asked, 'origin'>,
): string {
  const having = servers.filter((server) => pullUrls(server, asked)[transport])
  const server = having.find(({ city }) => city === region) ?? having[0]
  // By SRT the key encrypts, and its number says whose it is: it does not go over the line.
  const named = transport === 'srt' ? `${id}&passphrase=${key}` : key
  return (server && pullUrls(server, asked)[transport])?.replace(keyPlaceholder, named) ?? ''
}
