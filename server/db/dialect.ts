// The two databases: what they are called, and what a migration has to say differently.
import type { ColumnDefinitionBuilder } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'

/**
 * An id that the database counts up and never gives twice.
 * @example .addColumn('id', 'integer', identity(dialect))
 */
export const identity = (dialect: Dialect) => (col: ColumnDefinitionBuilder) =>
  dialect === 'sqlite' ? col.primaryKey().autoIncrement() : col.primaryKey().generatedByDefaultAsIdentity()
