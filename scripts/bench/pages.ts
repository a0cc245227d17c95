// What a page really costs: the scripts and styles that a fresh browser asks for, and how many bytes of them the service
// sends, compressed with gzip and with brotli.
import { request } from 'node:http'
import type { Locator, Page } from '@playwright/test'

/** What comes later by itself has come by then. */
const afterwardsMs = 4000

export interface Weight {
  /** Until the page can be used. */
  readonly first: Load
  /** With what comes afterwards by itself. */
  readonly all: Load
  readonly elsewhere: readonly string[]
}

export interface Load {
  readonly requests: number
  readonly js: Size
  readonly css: Size
}

export interface Size {
  readonly gzip: number
  readonly brotli: number
}

/**
 * Opens the page with an empty cache and weighs what it loads until the network is still.
 * @param usable what is there when the page can be used
 */
export async function weigh(page: Page, url: string, usable: (page: Page) => Locator): Promise<Weight> {
  const seen: string[] = []
  page.on('request', (each) => seen.push(each.url()))
  const isOwn = (address: string): boolean => address.startsWith(new URL(url).origin)
  await page.goto(url)
  await usable(page).waitFor()
  const first = seen.filter(isOwn)
  await page.waitForTimeout(afterwardsMs)
  await page.waitForLoadState('networkidle')
  const own = seen.filter(isOwn)
  const elsewhere = seen.filter((address) => /^https?:/.test(address) && !own.includes(address))
  return { first: await loadOf(first), all: await loadOf(own), elsewhere }
}

async function loadOf(addresses: readonly string[]): Promise<Load> {
  const sizes = async (ending: string): Promise<Size> => {
    const files = [...new Set(addresses)].filter((address) => new URL(address).pathname.endsWith(ending))
    const sum = async (encoding: string): Promise<number> =>
      (await Promise.all(files.map((file) => transferred(file, encoding)))).reduce((total, bytes) => total + bytes, 0)
    return { gzip: await sum('gzip'), brotli: await sum('br') }
  }
  return { requests: addresses.length, js: await sizes('.js'), css: await sizes('.css') }
}

/** The bytes of the body as they travel: not decoded, as `fetch` would. */
function transferred(url: string, encoding: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { 'accept-encoding': encoding } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => resolve(bytes))
    })
    asked.on('error', reject)
    asked.end()
  })
}
