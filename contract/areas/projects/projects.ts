// UserProject: projects of a user, and details of one project.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe, numberish } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Nothing, Page, pageOf, Success } from '#contract/core/wire.ts'
import { StorageInfo, TranscodingInfo } from '#contract/entities/add-on-plans.ts'
import { Period, RestreamPlan } from '#contract/entities/plan.ts'
import { Currency, Project, ProjectMember, ProjectType } from '#contract/entities/project.ts'
import { AccessType } from '#contract/entities/roles.ts'

/** Project of the signed-in user, with their role in it (published `UserProjectResponse`). */
export const ProjectRow = z.object({
  id: z.int(),
  user_id: z.int(),
  project_id: z.int(),
  access_type: AccessType,
  project: ProjectMember,
  member_count: z.int(),
  /** Ours: reason of a suspension; null: not suspended. */
  suspended: maybe(z.string()),
  /** Ours: a second factor is demanded that the user lacks. */
  lacks_factor: z.optional(z.boolean()),
})

/** Running restream subscription inside project info (published `PlanRestream2UserItemResponse`). */
const Subscription = z.object({
  plan_restream2user_id: z.int(),
  plan_restream_id: z.int(),
  date_end: z.nullable(DateTime),
  date_start: z.nullable(DateTime),
  date_create: z.nullable(DateTime),
  period: z.nullable(Period),
  money_flow_uuid: z.string(),
  period_uuid: z.string(),
  status: z.string(),
  prolongation: z.int(),
})

/** Details of a project that its pages share (published `ProjectInfoResponse`). */
export const ProjectInfo = z.object({
  data: z.object({
    project_id: z.int(),
    name: z.string(),
    fename: z.string(),
    photo_50: maybe(z.string()),
    photo_100: maybe(z.string()),
    external_id: z.string(),
    type: ProjectType,
    balance_bonus: numberish,
    balance_payment: numberish,
    balance_profit: numberish,
    debt: z.optional(z.int()),
    currency: Currency,
    country_id: z.int(),
  }),
  restream: z.object({ plan2user: Subscription, data: RestreamPlan }),
  transcoding: maybe(TranscodingInfo),
  storage: maybe(StorageInfo),
  access: z.object({ access_type: AccessType }),
  /** Ours; null: not suspended. */
  suspended: maybe(z.object({ date: DateTime, reason: z.string() })),
})
export type ProjectInfo = z.output<typeof ProjectInfo>

/** Name of a project: one line of text, not blank. */
export const projectNameMax = 100
const projectName = z.string().check(z.trim(), z.minLength(1), z.maxLength(projectNameMax), z.regex(/^\P{Cc}*$/u))

const externalId = z.string().check(z.minLength(1), z.maxLength(64))

export const projects = group(
  'projects.projects',
  { prefix: 'project', title: 'UserProject' },
  {
    list: read('list', {
      name: 'List of project for current user',
      input: Page,
      output: pageOf(ProjectRow),
      auth: 'session',
      scope: 'project:read',
      provenance: 'published',
    }),
    select: write('GET', 'select', {
      name: 'Select user for project',
      input: z.object({ id: Id }),
      output: Project,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      notes: { id: 'project id; becomes the last selected project of the person' },
      stale: ['account.auth.me', 'account.profile', 'account.usersProfile'],
    }),
    get: read('get_project', {
      name: 'Get project by number id',
      input: z.object({ project_external_id: externalId }),
      output: Project,
      auth: 'session',
      scope: 'project:read',
      provenance: 'published',
    }),
    info: read('get_project_info', {
      name: 'Get project full info',
      input: InProject,
      output: ProjectInfo,
      isForWidgets: true,
      auth: 'viewer',
      scope: 'project:read',
      provenance: 'published',
    }),
    user: read('get_user', {
      name: 'Get user by number id',
      input: z.object({ user_external_id: externalId }),
      output: Project,
      auth: 'session',
      scope: 'project:read',
      provenance: 'published',
    }),
    members: read('user/list', {
      name: 'List of user in project',
      input: InProject,
      output: listOf(ProjectMember),
      auth: 'viewer',
      scope: 'project:read',
      provenance: 'published',
    }),
    me: read('me', {
      name: 'Scopes of the token',
      input: Nothing,
      output: z.object({ scopes: z.array(z.string()) }),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
    }),
    create: write('POST', 'create', {
      name: 'Create a team project',
      input: z.object({ name: projectName, currency: Currency }),
      output: Project,
      status: 201,
      auth: 'session',
      scope: 'project:write',
      provenance: 'decided',
      replay: 'never',
      notes: { currency: 'currency of the project’s payments; cannot be changed' },
      stale: ['projects.projects.list'],
    }),
    update: write('POST', 'update', {
      name: 'Rename project',
      input: z.extend(InProject, { name: projectName }),
      output: Success,
      status: 201,
      auth: 'owner',
      scope: 'project:write',
      provenance: 'decided',
    }),
  },
)
