// Encoder with two pictures, as OBS sends them (Enhanced RTMP multitrack): track 0 landscape with sound, track 1 portrait. A program of
// its own, so that the test can kill and stop it. SIGUSR2 leaves the portrait out, and puts it in again.
// Arguments: port, stream key, FLV file of the landscape, FLV file of the portrait.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { FlvReader } from '#server/relay/media/flv.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import { encode } from '#server/relay/testing/encoder.ts'
import { enhanced, inTrack } from '#server/relay/testing/enhanced.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'

const [port = '', key = '', wideFile = '', highFile = ''] = process.argv.slice(2)
const read = (file: string): Message[] =>
  new FlvReader().read(readFileSync(file)).filter(({ type }) => type !== messageType.data)
const wide = read(wideFile)
const high = read(highFile).filter(({ type }) => type === messageType.video)
const all = [
  ...wide.map((message) => ({ track: 0, message })),
  ...high.map((message) => ({ track: 1, message })),
].toSorted((a, b) => a.message.timestamp - b.message.timestamp)
const headers = all.filter(({ message }) => !isFrame(message))
const frames = all.filter(({ message }) => isFrame(message))

let hasPortrait = true
process.on('SIGUSR2', () => (hasPortrait = !hasPortrait))

const encoder = encode(Number(port), key)
const outcome = await encoder.outcome
if (outcome !== 'live') {
  process.stderr.write(`${outcome}\n`)
  process.exit(1)
}
void encoder.over.then((words) => {
  process.stderr.write(`${words}\n`)
  process.exit(1)
})
const send = (track: number, message: Message) => encoder.send(inTrack(track, enhanced(message)))
for (const { track, message } of headers) send(track, message)
const began = performance.now()
for (const { track, message } of frames) {
  const early = message.timestamp - (performance.now() - began)
  if (early > 5) await wait(early)
  if (track === 0 || hasPortrait) send(track, message)
}
