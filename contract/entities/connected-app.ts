// A connection of an app to a project: the consent of one person.
import * as z from 'zod/mini'
import { DateTime } from '#contract/core/lenient.ts'
import { Id } from '#contract/core/wire.ts'

export const ConnectedApp = z.object({
  grant_id: Id,
  name: z.string(),
  website: z.string(),
  /** URL; empty without a picture. */
  picture: z.string(),
  scopes: z.array(z.string()),
  project: z.object({ id: Id, name: z.string() }),
  /** Person that connected it. */
  user: z.object({ id: Id, name: z.string() }),
  date_create: DateTime,
  date_end: DateTime,
  /** Last use, to five minutes; null: unused. */
  date_use: z.nullable(DateTime),
  /** Network of the last use, without the part that identifies a household. */
  address: z.string(),
  /** `User-Agent` of the last use. */
  program: z.string(),
})
export type ConnectedApp = z.output<typeof ConnectedApp>
