// Dialects of the two databases, and their differences in migrations.
import type { ColumnDefinitionBuilder } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'

/**
 * Column of an auto-incremented id. The database never reuses an id.
 * @example .addColumn('id', 'integer', identity(dialect))
 */
export const identity = (dialect: Dialect) => (col: ColumnDefinitionBuilder) =>
  dialect === 'sqlite' ? col.primaryKey().autoIncrement() : col.primaryKey().generatedByDefaultAsIdentity()
