// Stream of a page: a file, sent over the WebSocket of the service with a ticket.
import { readFileSync } from 'node:fs'
import { browserIngest } from '#contract/areas/broadcasts/browser-ingest.ts'
import { browserKinds } from '#contract/entities/browser-ingest.ts'
import { FlvReader } from '#server/relay/media/flv.ts'
import { messageType } from '#server/relay/rtmp/message.ts'
import { browserClient, browserMessage } from '#server/relay/testing/browser.ts'
import type { Product } from './product.ts'

const everyMs = 20

interface Page {
  begin(): void
  close(): void
}

/** Opens a page that streams a file without B-frames, once. @throws when the service or the node refuses it */
export async function startBrowser({ api, projectId }: Product, file: string): Promise<Page> {
  const { url, ticket } = await api(browserIngest.create, { project_id: projectId })
  const messages = new FlvReader()
    .read(readFileSync(file))
    .filter(({ type }) => type !== messageType.data)
    .map(({ type, timestamp, payload }) => {
      const [first = 0, second = 0] = payload
      const isVideo = type === messageType.video
      return {
        timestamp,
        bytes: browserMessage({
          kind: isVideo ? browserKinds.video : browserKinds.aac,
          isKey: isVideo && first >> 4 === 1 && second === 1,
          isHeader: second === 0,
          time: timestamp,
          payload: payload.subarray(isVideo ? 5 : 2),
        }),
      }
    })
  const client = browserClient(url, ticket)
  const outcome = await client.outcome
  if (outcome !== 'live') throw new Error(`The browser was refused: ${outcome}`)
  let timer: NodeJS.Timeout | undefined
  return {
    begin() {
      const began = performance.now()
      timer = setInterval(() => {
        const due = messages.findIndex(({ timestamp }) => timestamp > performance.now() - began)
        for (const { bytes } of messages.splice(0, due < 0 ? messages.length : due)) client.socket.send(bytes)
      }, everyMs)
    },
    close() {
      clearInterval(timer)
      client.socket.terminate()
    },
  }
}
