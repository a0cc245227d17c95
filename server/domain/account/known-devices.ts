// Devices that an account has signed in on: the browser keeps an id, signed for each of its last accounts. Others cannot use up
// the sign-in attempts of such a device.
import { derivedKey, keyedHash, randomToken, sameText } from '#server/core/secrets.ts'
import { normalEmail } from './accounts.ts'

/** Accounts of one browser. */
const accountsMax = 5
const form = new RegExp(`^([\\w-]{43})((?:\\.[\\w-]{43}){1,${accountsMax}})$`)

interface Device {
  readonly id: string
  readonly signatures: readonly string[]
}

/** @param value kept by the browser; null: none */
function read(value: string | null): Device | null {
  const [, id, signatures] = form.exec(value ?? '') ?? []
  return id === undefined || signatures === undefined ? null : { id, signatures: signatures.slice(1).split('.') }
}

const sign = (secret: Uint8Array, id: string, email: string): string =>
  keyedHash(derivedKey(secret, 'known device'), `${id} ${normalEmail(email)}`)

/** Returns the id of the device; null when the account of this e-mail has not signed in on it. */
export function knownDevice(secret: Uint8Array, value: string | null, email: string): string | null {
  const device = read(value)
  if (!device) return null
  const expected = sign(secret, device.id, email)
  return device.signatures.some((one) => sameText(one, expected)) ? device.id : null
}

/** Returns the value for a browser on which the account of an e-mail has signed in. */
export function rememberedDevice(secret: Uint8Array, value: string | null, email: string): string {
  const { id, signatures } = read(value) ?? { id: randomToken(), signatures: [] }
  const own = sign(secret, id, email)
  const others = signatures.filter((one) => one !== own)
  return [id, own, ...others].slice(0, 1 + accountsMax).join('.')
}
