// Browser tests. `dashboard` tests the built product on its real service; `session` tests the session layer alone, with
// an unreliable upstream.
import { defineConfig } from '@playwright/test'
import { browserNames, findBrowser, mustHaveBrowsers } from '#scripts/house/browsers.ts'
import { chromiumFlags, featuresOff, findChromium } from '#scripts/house/chromium.ts'

const executablePath = findChromium('tests')

/** A camera and a microphone for streams from the browser. */
const fakeDevices = ['--use-fake-device-for-media-stream=fps=30', '--use-fake-ui-for-media-stream']
const launchOptions = {
  args: [...chromiumFlags, ...fakeDevices, `--disable-features=${featuresOff.join(',')}`],
  ...(executablePath ? { executablePath } : {}),
}

/** Only `npm test` sets it: runs by hand and at night show a flaky test as failed. */
const retries = Number(process.env['TEST_RETRIES'] ?? 0)

/** Options of `e2e/browsers/test.ts`. */
interface BrowserOptions {
  readonly program: string | undefined
  readonly mustRun: boolean
}

export default defineConfig<BrowserOptions>({
  outputDir: '.cache/e2e',
  // Pictures of the kit are the same on each system: its fonts are those of the product.
  snapshotPathTemplate: '{testDir}/kit/{arg}{ext}',
  globalSetup: './scripts/house/temporary-folder.ts',
  fullyParallel: true,
  // `npm run test:nightly` runs these.
  ...(process.env['NIGHTLY'] ? {} : { grepInvert: /@nightly/ }),
  forbidOnly: Boolean(process.env['CI']),
  // Twice the cores of a small machine: pages wait for animations and timers.
  workers: 4,
  retries,
  // Not a performance limit: some journeys have many steps, and a busy machine is ten times slower.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['line'], ['json', { outputFile: '.cache/reports/e2e.json' }]],
  use: {
    browserName: 'chromium',
    // An element that does not appear fails its step early, before the whole time of the test is spent.
    actionTimeout: 60_000,
    launchOptions,
    // Requests of the worker pass by the routes of a test.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Actions, requests and responses; snapshots of every step take a fifth of the run time. The second run of a failed test
    // records them, else every test does.
    trace: {
      mode: retries > 0 ? 'on-first-retry' : 'retain-on-failure',
      snapshots: false,
      screenshots: false,
      sources: false,
    },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'dashboard', testDir: 'e2e', testIgnore: ['**/e2e/session/**', '**/e2e/browsers/**'] },
    // By clients of their own: Playwright starts neither Debian's Firefox nor its WebKit.
    ...browserNames.map((name) => ({
      name,
      testDir: 'e2e/browsers',
      use: { program: findBrowser(name), mustRun: mustHaveBrowsers(), trace: 'off' as const },
    })),
    {
      name: 'session',
      testDir: 'e2e/session',
      // The host is not a secure context, so it has no Web Locks. No traces: hundreds of rounds would fill them.
      use: {
        trace: 'off',
        launchOptions: {
          ...launchOptions,
          args: [...launchOptions.args, '--host-resolver-rules=MAP app.test 127.0.0.1'],
        },
      },
    },
  ],
})
