// Names of messages in version 2 of the protocol. Nodes of version 2 work for one release: remove this file on 2027-03-01.
import type { FromService } from './from-service.ts'

/** Names of version 2, by those of version 3. */
const names: Partial<Record<FromService['type'], string>> = { ack: 'seen', desired: 'wish' }

/** Returns a message of a node as JSON with the names of version 3. Messages of version 3 stay as they are. */
export const fromVersion2 = (text: string): string => text.replace(/^\{"type":"told"/, '{"type":"event"')

/** Returns a message of the service with the names of version 2. */
export const toVersion2 = (message: FromService): object => ({ ...message, type: names[message.type] ?? message.type })
