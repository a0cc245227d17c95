// Google's own client of YouTube's live chat, pointed at a double.
import { youtube } from '@googleapis/youtube'

/** Returns the client. */
export const liveChatMessagesClient = (base: string) =>
  youtube({ version: 'v3', rootUrl: `${base}/`, headers: { authorization: 'Bearer access-1' } }).liveChatMessages
