// What may happen to the roles in a project, as one table. Knows no database.
import type { AccessType } from '#contract/entities/project.ts'
import { RuleError } from '#server/core/errors.ts'

/** A change of one member, before it is made. */
export interface Change {
  /** Of the project: 0 personal, 1 team. */
  readonly type: 0 | 1
  /** How many owners the project has now. */
  readonly owners: number
  /** Null for somebody who comes in. */
  readonly from: AccessType | null
  /** Null for somebody who goes. */
  readonly to: AccessType | null
}

const owner = 2

/** What forbids a change, the first that does: name, sentence, when. */
const rules: readonly (readonly [name: string, sentence: string, forbids: (change: Change) => boolean])[] = [
  [
    'PersonalProject',
    'A personal project belongs to one person: it has no second owner, and its owner stays',
    ({ type, from, to }) => type === 0 && (from === owner) !== (to === owner),
  ],
  [
    'LastOwner',
    'The project needs an owner: make somebody else an owner first',
    ({ owners, from, to }) => from === owner && to !== owner && owners < 2,
  ],
]

/** @throws RuleError `PersonalProject` or `LastOwner` when the change must not be made */
export function mustBeAllowed(change: Change): void {
  const broken = rules.find(([, , forbids]) => forbids(change))
  if (broken) throw new RuleError(broken[0], broken[1])
}
