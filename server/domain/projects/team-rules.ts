// Rules for changes of roles in a project, as one table. Pure.
import { type AccessType, accessTypes } from '#contract/entities/roles.ts'
import { RuleError } from '#server/core/errors.ts'

/** A change of one member's role. */
export interface Change {
  /** Type of the project: 0 personal, 1 team. */
  readonly type: 0 | 1
  /** Owners before the change. */
  readonly owners: number
  /** Null for a new member. */
  readonly from: AccessType | null
  /** Null for a member that leaves. */
  readonly to: AccessType | null
}

const { owner } = accessTypes

/** Errors by their conditions; the first that applies is thrown. */
const rules: readonly (readonly [name: 'PersonalProject' | 'LastOwner', forbids: (change: Change) => boolean])[] = [
  ['PersonalProject', ({ type, from, to }) => type === 0 && (from === owner) !== (to === owner)],
  ['LastOwner', ({ owners, from, to }) => from === owner && to !== owner && owners < 2],
]

/** @throws RuleError `PersonalProject` or `LastOwner` when the change must not be made */
export function mustBeAllowed(change: Change): void {
  const broken = rules.find(([, forbids]) => forbids(change))
  if (broken) throw new RuleError(broken[0])
}

/** Returns the full name of a user, as the history stores it. */
export const nameOf = (user: { readonly first_name: string; readonly last_name: string }): string =>
  [user.first_name, user.last_name].filter(Boolean).join(' ')
