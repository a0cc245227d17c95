// Access of guest projects: one table for changes, invitations and transfers.
import type { ChannelRight } from '#contract/entities/roles.ts'
import { type GuestAccess, guestAccess } from '#contract/entities/channel-sharing.ts'
import { RuleError } from '#server/core/errors.ts'

/** Against accidents and abuse. */
export const guestsMax = 100

/** @throws RuleError `OneOwner`: a channel has one owner, which changes only by a transfer */
export function mustBeGuest(access: ChannelRight): GuestAccess {
  const found = guestAccess.find((one) => one === access)
  if (found === undefined) throw new RuleError('OneOwner', 'A channel has one owner. Hand it over instead')
  return found
}

export const alreadyShared = () => new RuleError('AlreadyShared', 'This project has the channel already')
export const notShared = () => new RuleError('NotShared', 'This project does not have the channel')
