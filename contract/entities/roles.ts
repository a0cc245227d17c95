// Roles of project members and rights of projects to channels: capabilities, and their numbers on the wire.
import * as z from 'zod/mini'
import type { NeededRole } from '#contract/core/operation.ts'

/** Kinds of operations in a project. */
type Capability = 'view' | 'edit' | 'manage'

/** Capability that an operation needs, by the role that it names (`auth`). */
const neededFor: Readonly<Record<NeededRole, Capability>> = { viewer: 'view', editor: 'edit', owner: 'manage' }

/** Number on the wire, which identifies the entry and is no rank, and its capabilities. */
interface Entry {
  readonly wire: number
  readonly may: readonly Capability[]
}

/** Provides names, numbers and checks of a table. A number that the table lacks has no capability. */
function lookup<const T extends Readonly<Record<string, Entry>>>(table: T) {
  type Wire = T[keyof T]['wire']
  const names = Object.keys(table) as (keyof T & string)[]
  const entries: readonly Entry[] = Object.values(table)
  const wires = entries.map(({ wire }) => wire as Wire)
  const byWire = new Map(names.map((name, index) => [wires[index], name]))
  const mayOf = (wire: number): readonly Capability[] => entries.find((entry) => entry.wire === wire)?.may ?? []
  const can = (wire: Wire, needed: NeededRole): boolean => mayOf(wire).includes(neededFor[needed])
  return {
    names,
    mayOf,
    can,
    schema: z.literal(wires),
    numbers: Object.fromEntries(names.map((name, index) => [name, wires[index]])) as {
      readonly [N in keyof T]: T[N]['wire']
    },
    nameOf: (wire: Wire): keyof T & string => byWire.get(wire) as keyof T & string,
    numbersFor: (needed: NeededRole): Wire[] => wires.filter((wire) => can(wire, needed)),
  }
}

/** Roles of members, in the order in which lists show them. An operation names one of the first three. */
const memberRoles = {
  viewer: { wire: 0, may: ['view'] },
  editor: { wire: 1, may: ['view', 'edit'] },
  owner: { wire: 2, may: ['view', 'edit', 'manage'] },
} as const satisfies Readonly<Record<NeededRole, Entry>> & Readonly<Record<string, Entry>>

/** Rights of projects to a channel: a guest views or uses it, one project owns it. */
const rights = {
  view: { wire: 0, may: ['view'] },
  use: { wire: 1, may: ['view', 'edit'] },
  own: { wire: 2, may: ['view', 'edit', 'manage'] },
} as const satisfies Readonly<Record<string, Entry>>

const members = lookup(memberRoles)
const channels = lookup(rights)

/** Name of a role in a project. */
export type ProjectRole = keyof typeof memberRoles

/** Role in a project as its wire number: 0 viewer, 1 editor, 2 owner (published). */
export const AccessType = members.schema
export type AccessType = z.output<typeof AccessType>

/** All roles, in the order in which lists show them. */
export const roles: readonly ProjectRole[] = members.names

/** Wire number of each role: compare with `roleCan`. */
export const accessTypes = members.numbers

/** Returns the name of a role. */
export const roleOf = members.nameOf

/** Returns whether a member with this role may do what needs that role. */
export const roleCan: (accessType: AccessType, needed: NeededRole) => boolean = members.can

/** Returns the wire numbers of the roles that may do what needs that role, for queries. */
export const accessTypesFor = members.numbersFor

/** Right of a project to a channel as its wire number: 0 view, 1 use, 2 own (published). */
export const ChannelRight = channels.schema
export type ChannelRight = z.output<typeof ChannelRight>

/** Wire number of each right to a channel: compare with `rightCan`. */
export const channelRights = channels.numbers

/** Returns the name of a right. */
export const rightOf = channels.nameOf

/** Returns whether a project with this right to a channel may do with it what needs that role. */
export const rightCan: (right: ChannelRight, needed: NeededRole) => boolean = channels.can

/** Returns the wire numbers of the rights that allow what needs that role, for queries. */
export const channelRightsFor = channels.numbersFor

/** Returns what a member may do with a channel of the project: what both the role and the project's right allow. */
export function rightOfMember(role: AccessType, right: ChannelRight): ChannelRight {
  const both = channels.mayOf(right).filter((capability) => members.mayOf(role).includes(capability))
  const within = Object.values(rights).filter(({ may }) => may.every((capability) => both.includes(capability)))
  return within.reduce((most, entry) => (entry.may.length > most.may.length ? entry : most), rights.view).wire
}
