// Text of API tokens and of tokens of widgets: prefix, 30 random characters, checksum. Scanners recognise a leaked one without asking the service.
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'rdk_'
const widgetPrefix = 'rdw_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
/** Digits of a CRC-32 in base 62. */
const checkLength = 6
const form = /^rd[kw]_([\dA-Za-z]{30})([\dA-Za-z]{6})$/

/** Creates a token: 178 random bits. */
export const newApiToken = (): string => tokenWith(prefix)

/** Creates a token of a widget. */
export const newWidgetToken = (): string => tokenWith(widgetPrefix)

function tokenWith(start: string): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${start}${random}${checkOf(random)}`
}

/** Returns whether a text is meant as an API token; it may be malformed. */
export const isApiToken = (text: string): boolean => text.startsWith(prefix)

/** Returns whether a text is meant as a token of a widget; it may be malformed. */
export const isWidgetToken = (text: string): boolean => text.startsWith(widgetPrefix)

/** Returns whether the checksum of a token is right. */
export function isIntact(token: string): boolean {
  const [, random, check] = form.exec(token) ?? []
  return random !== undefined && check === checkOf(random)
}

/** Returns whether a text contains an API token, whole or nearly. */
export const hasApiToken = (text: string): boolean => text.includes(prefix) && /rdk_[\dA-Za-z]{30}/.test(text)

/** CRC-32 (IEEE 802.3) of the random characters, in base 62 with leading zeros. */
function checkOf(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let at = 0; at < checkLength; at++) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
