// Chat keys over HTTP.
import { keys } from '#contract/areas/chat/keys.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { implement } from '#server/core/implement.ts'
import { type ChatKeyRow, listKeys } from '#server/domain/chat/keys-store.ts'
import { addChatKey, ownerNeeded, revokeChatKey } from '#server/domain/chat/keys.ts'

const present = ({ id, name, rights, hint, date_create, date_use }: ChatKeyRow) => ({
  id,
  name,
  rights,
  hint,
  date_create,
  date_use,
})

export const keyRoutes = implement(keys, {
  list: async ({ project_id }, { db }) => ({ results: (await listKeys(db, project_id)).map(present) }),

  add: async ({ project_id: projectId, name, rights }, ctx) => {
    if (rights === 'write' && !roleCan(ctx.project.accessType, 'owner')) throw ownerNeeded()
    const { row, key } = await addChatKey(ctx, { projectId, name, rights })
    return { ...present(row), key }
  },

  remove: async ({ project_id: projectId, key_id: keyId }, ctx) => {
    await revokeChatKey(ctx, { projectId, keyId, mayWrite: roleCan(ctx.project.accessType, 'owner') })
    return { success: true }
  },
})
