import { expect, test } from 'vitest'
import { deviceOf, maskAddress } from './devices.ts'

const mozilla = 'Mozilla/5.0'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'

test.each([
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/156.0`, 'Edge', 'Windows', 'computer'],
  [`${mozilla} (X11; Linux x86_64) ${chrome} Safari/537.36`, 'Chrome', 'Linux', 'computer'],
  [`${mozilla} (Windows NT 10.0) ${chrome} YaBrowser/26.1 Safari/537.36`, 'Yandex', 'Windows', 'computer'],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10.15; rv:153.0) Gecko/20100101 Firefox/153.0`,
    'Firefox',
    'macOS',
    'computer',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iOS',
    'phone',
  ],
  [`${mozilla} (Linux; Android 16; Pixel 9) ${chrome} Mobile Safari/537.36`, 'Chrome', 'Android', 'phone'],
  [`${mozilla} (Linux; Android 16; SM-X910) ${chrome} Safari/537.36`, 'Chrome', 'Android', 'tablet'],
  ['curl/8.9', '', '', 'other'],
  ['', '', '', 'other'],
])('%s', (userAgent, browser, system, kind) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, kind })
})

test.each([
  ['203.0.113.77', '203.0.113.x'],
  ['::ffff:203.0.113.77', '203.0.113.x'],
  ['2001:db8:12:3456::1', '2001:db8:12::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['', ''],
])('the address %s is shown as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown)
})
