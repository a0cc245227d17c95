// The `test` of journeys in Firefox and WebKitGTK: the built product on its real service, behind a line that can be cut.
import { test as base } from '@playwright/test'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { call } from '#server/testing/request.ts'
import { type Person, signUp } from '#e2e/fixtures/person.ts'
import { type Service, startService } from '#e2e/fixtures/service.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { startFirefox } from './firefox.ts'
import { type CutLine, openLine } from './line.ts'
import { type Browser, Tab } from './tab.ts'
import { startWebKit } from './webkit.ts'

/** By project of playwright.config.ts. */
const starters: Readonly<Record<string, (program: string) => Promise<Browser>>> = {
  firefox: startFirefox,
  webkit: startWebKit,
}

interface Installed {
  readonly service: Service
  readonly line: CutLine
}

interface Fixtures {
  /** Path of the program to start; undefined where it is not installed. */
  readonly program: string | undefined
  /** True: a missing program fails its tests instead of skipping them. */
  readonly mustRun: boolean
  readonly person: Person
  /** Opens a tab; tabs of a test share cookies and storage. */
  readonly openTab: () => Promise<Tab>
  /** Calls an operation as the person of the test. */
  readonly api: <O extends Operation>(op: O, input: Input<O>) => Promise<Output<O>>
}

export const test = base.extend<Fixtures, { readonly installed: Installed }>({
  program: [undefined, { option: true }],
  mustRun: [false, { option: true }],
  installed: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const port = await freePort()
      const line = await openLine(port)
      const service = await startService({
        PORT: String(port),
        PUBLIC_URL: line.url,
        ALLOW_PRIVATE_DESTINATIONS: 'on',
      })
      await use({ service, line })
      await line.close()
      await service.close()
    },
    { scope: 'worker' },
  ],
  person: async ({ installed }, use) => use(await signUp(installed.line.url)),
  openTab: async ({ program, mustRun, installed }, use, info) => {
    const { name } = info.project
    const start = starters[name]
    if (!start) throw new Error(`No client for ${name}`)
    if (program === undefined) {
      if (mustRun) throw new Error(`${name} is not installed, and CI is set`)
      return info.skip(true, `${name} is not installed`)
    }
    const browser = await start(program)
    const tabs: Tab[] = []
    await use(async () => {
      const tab = new Tab(await browser.newTab(), installed.line.url)
      tabs.push(tab)
      return tab
    })
    if (info.status !== info.expectedStatus)
      for (const [index, tab] of tabs.entries()) await tab.picture(info.outputPath(`${index}.png`)).catch(() => {})
    await browser.close()
  },
  api: ({ installed, person }, use) => use((op, input) => call(installed.line.url, op, input, person.accessToken)),
})
