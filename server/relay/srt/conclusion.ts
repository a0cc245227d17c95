// Second half of the SRT handshake: the caller's request and the response (draft-sharabayko-srt 4.3.1.2, 4.3.1.3).
import { type Refusal, refusal } from '#server/relay/ingest/refusal.ts'
import {
  type Abilities,
  capability,
  extensionType,
  readAbilities,
  readText,
  versionText,
  writeAbilities,
} from './extensions.ts'
import { type KeyMaterial, readKeyMaterial } from './encryption.ts'
import { extensionBit, type Handshake, handshakeType } from './handshake.ts'
import { readStreamId, type StreamId } from './stream-id.ts'

/** SRT version that the relay announces. */
export const announcedVersion = 0x01_05_00
/** Oldest SRT version with this handshake: 1.3. */
const leastVersion = 0x01_03_00
/** Capabilities that the relay announces. */
export const announcedFlags =
  capability.timedSend |
  capability.timedReceive |
  capability.lateDrop |
  capability.periodicLoss |
  capability.again |
  capability.encryption

/** Request of a caller. */
export interface CallerRequest {
  readonly stream: StreamId
  /** Key material of the caller; null: no encryption. */
  readonly material: KeyMaterial | null
  /** Latency that the caller requests, milliseconds. */
  readonly latencyMs: number
  readonly program: string
}

/** Reads a conclusion. @returns the request, or the reason of the refusal */
export function readConclusion(said: Handshake): CallerRequest | Refusal {
  if (said.version !== 5) return refusal.version
  const content = (type: number) => said.extensions.find((one) => one.type === type)?.content
  const abilities = content(extensionType.handshakeRequest)
  const can: Abilities | null = abilities ? readAbilities(abilities) : null
  if (!can) return refusal.rogue
  if (can.version < leastVersion) return refusal.version
  const congestion = content(extensionType.congestion)
  if ((can.flags & capability.stream) !== 0 || (congestion && readText(congestion) !== 'live'))
    return refusal.congestion
  const wrapped = content(extensionType.keyRequest)
  const material = wrapped ? readKeyMaterial(wrapped) : null
  if (!material && (wrapped || said.encryption !== 0)) return refusal.unsecure
  const stream = readStreamId(readText(content(extensionType.streamId) ?? Buffer.alloc(0)))
  if (!stream) return refusal.badRequest
  // A number without encryption proves nothing, and a key sent in the clear makes encryption worthless.
  if ((stream.number !== null) !== (material !== null)) return refusal.unsecure
  // Latency of the direction in which the media flows.
  const latencyMs = stream.mode === 'publish' ? can.sendMs : can.receiveMs
  return { stream, material, latencyMs, program: `SRT ${versionText(can.version)}` }
}

/** Response to an admitted caller. */
export function writeWelcome(
  said: Handshake,
  { socket, window, latencyMs }: { readonly socket: number; readonly window: number; readonly latencyMs: number },
): Handshake {
  const wrapped = said.extensions.find(({ type }) => type === extensionType.keyRequest)
  const content = writeAbilities({
    version: announcedVersion,
    flags: announcedFlags,
    receiveMs: latencyMs,
    sendMs: latencyMs,
  })
  return {
    ...said,
    encryption: wrapped ? said.encryption : 0,
    extension: extensionBit.handshake | (wrapped ? extensionBit.key : 0),
    mtu: Math.min(said.mtu, 1500),
    window,
    socket,
    // Accepted key material is repeated (3.2.1.2).
    extensions: [
      { type: extensionType.handshakeResponse, content },
      ...(wrapped ? [{ type: extensionType.keyResponse, content: wrapped.content }] : []),
    ],
  }
}

/** Response to a refused caller. */
export const writeRefusal = (said: Handshake, why: Refusal): Handshake => ({
  ...said,
  encryption: 0,
  extension: 0,
  type: handshakeType.refused + why,
  extensions: [],
})
