// The second half of a handshake: what the caller wants, and what it is told (draft-sharabayko-srt 4.3.1.2, 4.3.1.3).
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

/** What we say that we are. */
const version = 0x01_05_00
/** From 1.3 on programs speak this handshake. */
const leastVersion = 0x01_03_00
const flags =
  capability.timedSend |
  capability.timedReceive |
  capability.lateDrop |
  capability.periodicLoss |
  capability.again |
  capability.encryption

/** A caller's wish. */
export interface CallerRequest {
  readonly stream: StreamId
  /** What the caller encrypts by; null: it does not. */
  readonly material: KeyMaterial | null
  /** How long packets may take, as the caller would have it, milliseconds. */
  readonly latencyMs: number
  readonly program: string
}

/** Reads a conclusion. @returns the wish, or why it is none */
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
  // A number alone proves nothing, and a key that was said in the open keeps nothing secret.
  if ((stream.number !== null) !== (material !== null)) return refusal.unsecure
  // The caller's own wish for what it sends, or for what it gets.
  const latencyMs = stream.mode === 'publish' ? can.sendMs : can.receiveMs
  return { stream, material, latencyMs, program: `SRT ${versionText(can.version)}` }
}

/** What a caller is told that was let in. */
export function writeWelcome(
  said: Handshake,
  { socket, window, latencyMs }: { readonly socket: number; readonly window: number; readonly latencyMs: number },
): Handshake {
  const wrapped = said.extensions.find(({ type }) => type === extensionType.keyRequest)
  const content = writeAbilities({ version, flags, receiveMs: latencyMs, sendMs: latencyMs })
  return {
    ...said,
    encryption: wrapped ? said.encryption : 0,
    extension: extensionBit.handshake | (wrapped ? extensionBit.key : 0),
    mtu: Math.min(said.mtu, 1500),
    window,
    socket,
    // Keys that were understood are said again (3.2.1.2).
    extensions: [
      { type: extensionType.handshakeResponse, content },
      ...(wrapped ? [{ type: extensionType.keyResponse, content: wrapped.content }] : []),
    ],
  }
}

/** What a caller is told that was not. */
export const writeRefusal = (said: Handshake, why: Refusal): Handshake => ({
  ...said,
  encryption: 0,
  extension: 0,
  type: handshakeType.refused + why,
  extensions: [],
})
