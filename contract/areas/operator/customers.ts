// Projects of all customers as operators see them: balances, plans, gifts, and the log of changes.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Page, pageOf, Success } from '#contract/core/wire.ts'
import { ChooseStatus, lineNames, Period } from '#contract/entities/plan.ts'
import { slotNames } from '#contract/entities/operator.ts'
import { AccessType } from '#contract/entities/roles.ts'
import { Currency } from '#contract/entities/project.ts'
import { Reason } from './settings.ts'

/** Largest change of a balance by an operator, minor units. */
export const changeMaxMinor = 1_000_000_000
const key = z.optional(z.string().check(z.minLength(8), z.maxLength(100)))

/** A project with its money. Amounts in minor units of `currency`. */
export const Customer = z.object({
  project_id: z.int(),
  name: z.string(),
  /** 0 personal, 1 team. */
  type: z.int(),
  owner: z.string(),
  email: z.nullable(z.string()),
  currency: Currency,
  bonus: z.int(),
  payment: z.int(),
  profit: z.int(),
  debt: z.int(),
  plan: z.string(),
  plan_end: z.nullable(DateTime),
  date_create: DateTime,
})
export type Customer = z.output<typeof Customer>

/** A change by an operator. `before` and `after` are JSON. */
export const OperatorLogEntry = z.object({
  id: z.int(),
  action: z.string(),
  user: z.nullable(z.string()),
  project_id: z.nullable(z.int()),
  project: z.nullable(z.string()),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  reason: z.string(),
  date_create: DateTime,
})
export type OperatorLogEntry = z.output<typeof OperatorLogEntry>

/** A project with what an operator decides by. */
export const CustomerPage = z.extend(Customer, {
  suspended: z.nullable(z.object({ date: DateTime, reason: z.string() })),
  members: z.array(
    z.object({ user_id: z.int(), name: z.string(), email: z.nullable(z.string()), access_type: AccessType }),
  ),
  plans: z.array(
    z.object({
      line: z.enum(lineNames),
      slot: z.enum(slotNames),
      title: z.string(),
      date_start: z.nullable(DateTime),
      date_end: z.nullable(DateTime),
      renews: z.boolean(),
    }),
  ),
  promos: z.array(z.object({ code: z.string(), name: z.string(), date: DateTime })),
  papers: z.array(
    z.object({ paper_id: z.int(), number: z.string(), payment_id: z.nullable(z.int()), date_create: DateTime }),
  ),
  notes: z.array(z.object({ note_id: z.int(), user: z.string(), text: z.string(), date_create: DateTime })),
})
export type CustomerPage = z.output<typeof CustomerPage>

/** Effects of another plan on a project. Money in minor units. */
export const PlanChange = z.object({
  action: ChooseStatus,
  price: z.int(),
  refund: z.int(),
  /** Balance before and after; negative: what the balance lacks. */
  balance: z.int(),
  balance_after: z.int(),
  currency: Currency,
  date_start: DateTime,
  date_end: DateTime,
})
export type PlanChange = z.output<typeof PlanChange>

const planOfProject = { target_project_id: Id, line: z.enum(lineNames), plan_id: Id, period: Period } as const

export const customers = group(
  'operator.customers',
  { prefix: 'operator/projects', title: 'OperatorProjects' },
  {
    search: read('', {
      name: 'Find projects',
      input: z.extend(Page, { query: z.optional(z.string().check(z.maxLength(100))), debt: z.optional(z.boolean()) }),
      output: pageOf(Customer),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        debt: 'true: only projects that owe money',
        query:
          'beginnings of words of the name, of the owner’s name or e-mail, or the number of the project; finds at most 1,000 by each',
      },
    }),
    get: read('page', {
      name: 'Get a project with its plans, members, papers and notes',
      input: z.object({ target_project_id: Id }),
      output: CustomerPage,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: { papers: 'the newest 100', notes: 'newest first, at most 100', promos: 'redeemed codes' },
    }),
    note: write('POST', 'note', {
      name: 'Add a note on a project',
      input: z.object({ target_project_id: Id, text: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)) }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { text: 'operators only read it' },
      stale: ['operator.customers'],
    }),
    suspend: write('POST', 'suspend', {
      name: 'Suspend a project, or resume it',
      input: z.object({ target_project_id: Id, suspended: z.boolean(), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { reason: 'members read the reason of a suspension' },
      stale: ['operator.customers', 'projects.projects'],
    }),
    changeBalance: write('POST', 'balance', {
      name: 'Add money to a balance, or take it',
      input: z.object({
        target_project_id: Id,
        balance: z.enum(['bonus', 'payment', 'profit']),
        amount: z.int().check(z.minimum(-changeMaxMinor), z.maximum(changeMaxMinor)),
        reason: Reason,
        idempotency_key: key,
      }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { amount: 'minor units of the project’s currency; negative takes' },
      stale: ['billing', 'operator', 'projects'],
    }),
    gift: write('POST', 'gift', {
      name: 'Give a plan to a project',
      input: z.object({
        target_project_id: Id,
        line: z.enum(lineNames),
        plan_id: Id,
        period: Period,
        reason: Reason,
        idempotency_key: key,
      }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { plan_id: 'with its smallest setting; it begins now or prolongs, and never replaces a bought plan' },
      stale: ['billing', 'operator', 'projects', 'tariffs'],
    }),
    planChange: read('plan-change', {
      name: 'Get the consequence of another plan for a project',
      input: z.object(planOfProject),
      output: PlanChange,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: { refund: 'unused parts that return to the balance, minor units' },
    }),
    changePlan: write('POST', 'change-plan', {
      name: 'Move a project to another plan',
      input: z.object({ ...planOfProject, quote_total: z.int(), reason: Reason, idempotency_key: key }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: {
        plan_id: 'with its running or its smallest setting; paid from the balance, as a purchase of an owner',
        quote_total:
          '`price` - `refund` of the consequence that the operator saw; `QuoteChanged` when it is another one now',
      },
      stale: ['billing', 'operator', 'projects', 'tariffs'],
    }),
    log: read('log', {
      name: 'Get the log of operators',
      input: z.extend(Page, { target_project_id: z.optional(Id) }),
      output: pageOf(OperatorLogEntry),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
  },
)
