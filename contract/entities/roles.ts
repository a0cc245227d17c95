// Roles of project members: names, capabilities, and their numbers on the wire.
import * as z from 'zod/mini'
import type { ProjectRole } from '#contract/core/operation.ts'

/** Role in a project as its wire number: 0 viewer, 1 editor, 2 owner (published). */
export const AccessType = z.literal([0, 1, 2])
export type AccessType = z.output<typeof AccessType>

/** Wire number of each role. Numbers identify roles; they are no ranks: compare with `roleCan`. */
export const accessTypes = { viewer: 0, editor: 1, owner: 2 } as const satisfies Readonly<
  Record<ProjectRole, AccessType>
>

/** All roles, in the order in which lists show them. */
export const roles = ['viewer', 'editor', 'owner'] as const satisfies readonly ProjectRole[]

/** Kinds of operations in a project: each operation of the contract names the role that it needs. */
type Capability = 'view' | 'edit' | 'manage'

/** Capabilities of each role. */
const capabilities: Readonly<Record<ProjectRole, readonly Capability[]>> = {
  viewer: ['view'],
  editor: ['view', 'edit'],
  owner: ['view', 'edit', 'manage'],
}

/** Capability that an operation needs, by the role that it names (`auth`). */
const neededFor: Readonly<Record<ProjectRole, Capability>> = { viewer: 'view', editor: 'edit', owner: 'manage' }

const names: Readonly<Record<AccessType, ProjectRole>> = { 0: 'viewer', 1: 'editor', 2: 'owner' }

/** Returns the name of a role. */
export const roleOf = (accessType: AccessType): ProjectRole => names[accessType]

/** Returns whether a member with this role may do what needs that role. */
export const roleCan = (accessType: AccessType, needed: ProjectRole): boolean =>
  capabilities[roleOf(accessType)].includes(neededFor[needed])

/** Returns the wire numbers of the roles that may do what needs that role, for queries. */
export const accessTypesFor = (needed: ProjectRole): AccessType[] =>
  roles.map((role) => accessTypes[role]).filter((accessType) => roleCan(accessType, needed))

/** Returns of two roles the one with fewer capabilities. */
export const lesserRole = (a: AccessType, b: AccessType): AccessType =>
  capabilities[roleOf(a)].length < capabilities[roleOf(b)].length ? a : b
