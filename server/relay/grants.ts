// Grants of the service for encoders and players, as its messages carry them.
import type { FromService } from '#contract/relay/from-service.ts'
import type { MessageOf } from '#contract/relay/protocol.ts'

/** The encoder may publish; contains the desired state of its project. */
export type PublishGrant = Omit<MessageOf<FromService, 'admitted'>, 'type' | 'request'>

/** The player may play; `keyId`: number of its pull key. */
export type PlayGrant = Omit<MessageOf<FromService, 'player-admitted'>, 'type' | 'request'>
