// Two browsers for the figures: one with an empty cache, and one with a signed-in user. Each listens on a
// debugging port, because Lighthouse drives a browser that is already open.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { type Person, signInByForm } from '#e2e/fixtures/person.ts'
import { chromiumFlags, findChromium } from '#scripts/house/chromium.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { atEnd } from '#scripts/house/step.ts'

export interface Browser {
  readonly context: BrowserContext
  readonly port: number
  /** Runs a function in a new page. */
  readonly inPage: <T>(work: (page: Page) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Opens a browser with a separate profile, signed in or anonymous. */
export async function openBrowser(url: string, person?: Person): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'relaydeck-browser-'))
  const port = await freePort()
  const executablePath = findChromium('figures')
  const context = await chromium.launchPersistentContext(profile, {
    args: [...chromiumFlags, `--remote-debugging-port=${port}`],
    ...(executablePath ? { executablePath } : {}),
  })
  const close = atEnd(async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  })
  if (person) await signInByForm(await context.newPage(), url, person)
  return {
    context,
    port,
    inPage: async (work) => {
      const page = await context.newPage()
      return work(page).finally(() => page.close())
    },
    close,
  }
}
