// Firefox by WebDriver BiDi, which it speaks without a driver of its own.
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core'
import { type Browser, type ClientTab, elementOf } from './tab.ts'

/** Starts a Firefox with an empty profile. @param program its path */
export async function startFirefox(program: string): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: program,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB' },
    defaultViewport: { width: 1280, height: 900 },
    timeout: 120_000,
    protocolTimeout: 120_000,
  })
  return { newTab: async () => tabOf(await browser.newPage()), close: () => browser.close() }
}

function tabOf(page: Page): ClientTab {
  page.setDefaultTimeout(120_000)
  return {
    goto: (address) => page.goto(address),
    reload: () => page.reload(),
    url: async () => page.url(),
    text: () => page.evaluate(() => document.body.innerText),
    run: (work) => page.evaluate(work) as ReturnType<typeof work>,
    picture: (file) => page.screenshot({ path: file as `${string}.png` }),
    find: async (what) => {
      const handle = (await page.evaluateHandle(elementOf, what)).asElement() as ElementHandle<HTMLInputElement> | null
      return (
        (handle && {
          // A tab in the background draws no frames, and a click waits for one.
          click: async () => {
            await page.bringToFront()
            await handle.click()
          },
          type: async (text) => {
            await handle.evaluate((field) => field.select())
            await handle.type(text)
          },
        }) ??
        undefined
      )
    },
  }
}
