// UserProject: roles of members. projects.ts lists the members.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { write } from '#contract/core/operation.ts'
import { Id, InProject, Success } from '#contract/core/wire.ts'
import { AccessType } from '#contract/entities/roles.ts'

/** Input of an operation about one member. */
const Member = z.extend(InProject, { user_id: Id })

const remove = {
  name: 'Remove user from project',
  input: Member,
  output: Success,
  placement: 'query',
  auth: 'owner',
  scope: 'project:write',
  provenance: 'published',
  revokes: true,
} as const

export const members = group(
  'projects.members',
  { prefix: 'project/user', title: 'UserProject' },
  {
    changeAccess: write('POST', 'change_access', {
      name: 'Change access user from project',
      input: z.extend(Member, { access_type: AccessType }),
      output: Success,
      placement: 'query',
      auth: 'owner',
      scope: 'project:write',
      revokes: true,
      provenance: 'published',
      notes: { access_type: '0 viewer, 1 editor, 2 owner; the last owner stays one' },
      stale: ['chat.chat.capabilities', 'projects'],
    }),
    del: write('POST', 'del', remove),
    delete: write('POST', 'delete', { ...remove, notes: { user_id: 'the later path of the same operation' } }),
    leave: write('POST', 'leave', {
      name: 'Leave project',
      input: InProject,
      output: Success,
      placement: 'query',
      auth: 'viewer',
      scope: 'project:write',
      revokes: true,
      isForLacking: true,
      provenance: 'published',
      notes: { project_id: 'the last owner cannot leave' },
      // The caller may no longer read the project.
      stale: ['projects.projects.list'],
    }),
    transferOwner: write('POST', 'transfer_owner', {
      name: 'Hand the project over',
      input: Member,
      output: Success,
      placement: 'query',
      auth: 'owner',
      scope: 'project:write',
      revokes: true,
      provenance: 'decided',
      notes: { user_id: 'a member; becomes an owner, and the caller an editor, in one step' },
      // Without the invitations: the caller may no longer read them.
      stale: ['chat.chat.capabilities', 'projects.history', 'projects.projects'],
    }),
  },
)
