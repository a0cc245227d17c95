// Invitations into a project (ours; the published scopes `project-invite:*` name them, no path is published). The link
// of an invitation contains a secret: it is returned once, stored as a hash, and sent in bodies only.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { ProjectType } from '#contract/entities/project.ts'
import { AccessType } from '#contract/entities/roles.ts'

/** Longest e-mail address. */
export const emailMax = 254

/** Secret of an invitation, as in the fragment (`#`) of its link. */
const secret = z.string().check(z.minLength(20), z.maxLength(100), z.regex(/^[\w-]+$/))

/** A pending invitation, as owners see it. */
export const ProjectInvite = z.object({
  project_invite_id: z.int(),
  project_id: z.int(),
  access_type: AccessType,
  email: z.nullable(z.string()),
  date: DateTime,
  date_expire: DateTime,
  from_user_id: z.int(),
  from_user_: maybe(z.object({ user_id: z.int(), name: z.string(), fename: z.string() })),
})
export type ProjectInvite = z.output<typeof ProjectInvite>

export const invites = group(
  'projects.invites',
  { prefix: 'project/invite', title: 'ProjectInvite', stale: [] },
  {
    list: read('list', {
      name: 'List of invites into project',
      input: InProject,
      output: listOf(ProjectInvite),
      auth: 'owner',
      scope: 'project:read',
      provenance: 'decided',
    }),
    add: write('POST', 'add', {
      name: 'Invite a person into project',
      input: z.extend(InProject, {
        access_type: AccessType,
        email: z.optional(z.string().check(z.maxLength(emailMax), z.email())),
      }),
      output: z.extend(ProjectInvite, {
        secret: z.string(),
        url: z.string(),
        mail: z.enum(['sent', 'not-configured', 'failed', 'none']),
      }),
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
      replay: 'never',
      notes: {
        email: 'recipient of the link; without it the link is only in the response',
        secret: 'never shown again',
        url: 'the link, with the secret behind `#`',
        mail: 'state of the e-mail; `none`: no e-mail was requested',
      },
      stale: ['projects.history', 'projects.invites'],
    }),
    del: write('POST', 'del', {
      name: 'Withdraw an invite into project',
      input: z.extend(InProject, { id: Id }),
      output: Success,
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
      notes: { id: '`project_invite_id`' },
      stale: ['projects.history', 'projects.invites'],
    }),
    getForSecret: write('POST', 'get_for_secret', {
      name: 'Look at an invite into project',
      input: z.object({ secret }),
      output: z.object({
        access_type: AccessType,
        date_expire: DateTime,
        from_user_: z.object({ name: z.string(), fename: z.string() }),
        project_: z.object({ name: z.string(), fename: z.string(), photo_50: maybe(z.string()), type: ProjectType }),
        may_sign_up: z.boolean(),
      }),
      auth: 'none',
      scope: 'any',
      provenance: 'decided',
      notes: {
        secret: 'in the body, so that no address holds it; nothing is changed',
        may_sign_up: 'whether an account can be made with this invitation',
      },
    }),
    signUp: write('POST', 'sign_up', {
      name: 'Get a code to make an account for an invite',
      input: z.object({ secret }),
      output: z.object({ code: z.string() }),
      status: 201,
      auth: 'none',
      scope: 'session',
      provenance: 'decided',
      notes: { code: 'for `refId` of auth/redirect-url; makes one account, and a newer one replaces it' },
    }),
    accept: write('POST', 'accept', {
      name: 'Accept an invite into project',
      input: z.object({ secret }),
      output: z.object({ success: z.boolean(), project_id: z.int() }),
      status: 201,
      auth: 'session',
      scope: 'project:write',
      provenance: 'decided',
      stale: ['projects.projects.list'],
    }),
    decline: write('POST', 'decline', {
      name: 'Decline an invite into project',
      input: z.object({ secret }),
      output: Success,
      status: 201,
      auth: 'none',
      scope: 'any',
      provenance: 'decided',
    }),
  },
)
