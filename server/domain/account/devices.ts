// Device and network of a session: from the `User-Agent` header, and from the address.

/** A device as its owner would recognise it. Unknown parts are empty. */
export interface DeviceName {
  readonly browser: string
  readonly system: string
  readonly kind: 'computer' | 'phone' | 'tablet' | 'other'
}

type Rule = readonly [pattern: RegExp, name: string]

/** In order of precedence: many browsers include the names of others. */
const browsers: readonly Rule[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\b(?:OPR|Opera|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: readonly Rule[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Parses a `User-Agent` header. */
export function deviceOf(userAgent: string): DeviceName {
  const first = (rules: readonly Rule[]) => rules.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''
  const system = first(systems)
  return { browser: first(browsers), system, kind: kindOf(userAgent, system) }
}

function kindOf(userAgent: string, system: string): DeviceName['kind'] {
  if (system === '') return 'other'
  if (system === 'iPadOS' || (system === 'Android' && !/\bMobile\b/.test(userAgent))) return 'tablet'
  return system === 'iOS' || system === 'Android' ? 'phone' : 'computer'
}

/**
 * Returns an address without the part that identifies a household: precise enough to recognise a foreign network.
 * @example maskAddress('203.0.113.77') // '203.0.113.x'
 */
export function maskAddress(address: string): string {
  const four = /(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address)?.[1]
  if (four !== undefined) return `${four}.x`
  if (!address.includes(':')) return ''
  const [head = '', tail = ''] = address.split('::')
  const groups = [...head.split(':'), ...(address.includes('::') ? Array<string>(8).fill('0') : []), ...tail.split(':')]
  const first = groups.filter(Boolean).slice(0, 3)
  return `${first.join(':')}::/48`
}
