// Connects an app to a project without the consent page.
import { randomUUID } from 'node:crypto'
import type { Services } from '#server/core/context.ts'
import { createGrant } from '#server/domain/projects/apps.ts'

/** Stores a consent; no token belongs to it. */
export const connectApp = (
  services: Services,
  grant: Omit<Parameters<typeof createGrant>[1], 'id' | 'isLasting'>,
): Promise<boolean> => createGrant(services, { ...grant, id: randomUUID(), isLasting: true })
