// What a page really costs: the scripts and styles that a fresh browser asks for, and how many bytes of them the service
// sends, compressed with gzip and with brotli.
import { request } from 'node:http'
import type { Locator, Page } from '@playwright/test'

/** What comes later by itself has come by then. */
const afterwardsMs = 4000

export interface Weight {
  /** Of them, those that began before the page could be used. */
  readonly requests: number
  readonly requestsInAll: number
  readonly elsewhere: readonly string[]
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
  const requests = seen.filter(isOwn).length
  await page.waitForTimeout(afterwardsMs)
  await page.waitForLoadState('networkidle')
  const own = seen.filter(isOwn)
  const sizes = async (ending: string): Promise<Size> => {
    const files = [...new Set(own)].filter((address) => new URL(address).pathname.endsWith(ending))
    const sum = async (encoding: string): Promise<number> =>
      (await Promise.all(files.map((file) => transferred(file, encoding)))).reduce((total, bytes) => total + bytes, 0)
    return { gzip: await sum('gzip'), brotli: await sum('br') }
  }
  const elsewhere = seen.filter((address) => /^https?:/.test(address) && !own.includes(address))
  return { requests, requestsInAll: own.length, elsewhere, js: await sizes('.js'), css: await sizes('.css') }
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
