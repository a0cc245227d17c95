// Members of a project in a running service, without an invitation.
import type { AccessType } from '#contract/entities/project.ts'
import type { App } from '#server/app/create-app.ts'
import { addMember } from '#server/domain/projects/projects.ts'

/** Lets a person into a project. */
export const join = (
  { db, clock }: App,
  member: { readonly projectId: number; readonly userId: number; readonly accessType: AccessType },
): Promise<void> => addMember(db, clock, member)
