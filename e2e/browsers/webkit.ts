// WebKitGTK by WebDriver: its MiniBrowser on a screen of Xvfb.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { Builder, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '#server/relay/testing/free-port.ts'
import { end } from '#server/relay/testing/programs.ts'
import { startScreen } from '#server/relay/testing/screen.ts'
import { type Browser, type ClientTab, elementOf } from './tab.ts'

/** Starts a screen, a driver and a browser without stored data. @param driver path of WebKitWebDriver */
export async function startWebKit(driver: string): Promise<Browser> {
  const screen = await startScreen()
  const port = await freePort()
  const process = spawn(driver, [`--port=${port}`], { stdio: 'ignore', env: environment(screen.display) })
  const close = async (): Promise<void> => {
    await end(process)
    await end(screen.process)
  }
  try {
    const server = `http://127.0.0.1:${port}`
    const isReady = () =>
      fetch(`${server}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady, { message: 'WebKitWebDriver is ready', timeout: 60_000 }).toBe(true)
    const client = await new Builder()
      .usingServer(server)
      .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
      .build()
    await client.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 })
    let isFirst = true
    return {
      newTab: async () => {
        if (!isFirst) await client.switchTo().newWindow('tab')
        isFirst = false
        return tabOf(client, await client.getWindowHandle())
      },
      close: async () => {
        await client.quit().catch(() => {})
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

function tabOf(client: WebDriver, handle: string): ClientTab {
  /** A driver has one current tab. */
  const here = async <T>(work: () => Promise<T>): Promise<T> => {
    await client.switchTo().window(handle)
    return work()
  }
  return {
    goto: (address) => here(() => client.get(address)),
    reload: () => here(() => client.navigate().refresh()),
    url: () => here(() => client.getCurrentUrl()),
    text: () => here(() => client.executeScript<string>(() => document.body.innerText)),
    run: (work) => here(() => client.executeScript(work)),
    picture: (file) => here(async () => writeFileSync(file, await client.takeScreenshot(), 'base64')),
    find: (what) =>
      here(async () => {
        const element = await client.executeScript<WebElement | null>(elementOf, what)
        if (!element) return undefined
        return {
          click: () => element.click(),
          type: async (text) => {
            await element.clear()
            await element.sendKeys(text)
          },
        }
      }),
  }
}

/** The language of pages is that of the system. */
const environment = (display: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DISPLAY: display,
  LANGUAGE: 'en',
  LC_ALL: 'C.UTF-8',
  NO_AT_BRIDGE: '1',
})
