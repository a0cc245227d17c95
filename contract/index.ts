// All groups and operations of the API. The service and tests import it; the dashboard imports single groups, so that a page
// loads only the operations that it calls (the reference pages load this file on demand).
import { type AnyGroup, operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'
import { groups as groupsById } from './groups.gen.ts'

/** Groups with declared operations. */
export const groups: readonly AnyGroup[] = Object.values(groupsById)

/** Every declared operation. */
export const operations: readonly Operation[] = groups.flatMap(operationsOf)
