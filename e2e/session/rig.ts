// Fixtures of the session tests: an upstream, and tabs of one browser profile.
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { build } from 'vite'
import type { Pair } from './tokens.ts'
import { startUpstream, type Upstream } from './upstream.ts'
import type { Rig, RigOptions } from './harness/main.ts'

export { expect }

let bundle: Promise<{ html: string; script: string }> | undefined

/** The harness page, bundled once per worker. */
async function harness() {
  const root = new URL('./harness/', import.meta.url)
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: root.pathname,
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: new URL('main.ts', root).pathname },
    },
  })
  const [output] = [result].flat()
  if (!output || !('output' in output)) throw new Error('The harness was not built')
  const html =
    '<!doctype html><title>Session harness</title><output id="status"></output><script type="module" src="/harness.js"></script>'
  return { html, script: output.output[0].code }
}

/** Shorter timeouts than in production. Order and rules stay. */
export const brisk = {
  quickRetriesMs: [30, 100, 300],
  backoffMs: [1500, 6000] as const,
  leaseMs: 4000,
  lockWaitMs: 3000,
}

export interface Fixtures {
  upstream: Upstream
  /** Opens a tab. `start` is the pair to sign in with. */
  tab: (options?: RigOptions, start?: Pair) => Promise<Page>
  host: string
}

export const test = base.extend<Fixtures>({
  host: ['127.0.0.1', { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern
  upstream: async ({}, use) => {
    bundle ??= harness()
    const upstream = await startUpstream(await bundle)
    await use(upstream)
    await upstream.close()
  },
  tab: async ({ context, upstream, host }, use) => {
    await use((options, start) => openTab(context, `http://${host}:${upstream.port}/`, options, start))
  },
})

/** Opens the harness page and waits until its session is settled. */
export async function openTab(context: BrowserContext, url: string, options: RigOptions = {}, start?: Pair) {
  const page = await context.newPage()
  await page.goto(`${url}?options=${encodeURIComponent(JSON.stringify(options))}`)
  await page.waitForFunction(() => !!window.rig)
  await page.evaluate(async (pair) => {
    await window.rig.session.initialize()
    if (pair) await window.rig.session.setSession(pair)
  }, start)
  return page
}

/** Makes every write to IndexedDB fail in a page, as on a full disk. */
export const fillDisk = (page: Page) =>
  page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })

/** Calls a function in all tabs in parallel. */
export const inAll = <T>(pages: Page[], run: (rig: Rig) => T | Promise<T>) =>
  Promise.all(pages.map((page) => page.evaluate(`(${run.toString()})(window.rig)`) as Promise<T>))

/** Waits until all tabs are signed in to the same session. */
export async function settled(pages: Page[]) {
  await expect
    .poll(async () => {
      const ids = await inAll(pages, (rig) => rig.session.getSnapshot().sessionId)
      return ids.every((id) => id !== null && id === ids[0])
    })
    .toBe(true)
}
