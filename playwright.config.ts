// Browser tests. `dashboard` is the built product on its real service; `session` is the session layer by itself, against
// an upstream that misbehaves. No retries: a test that passes the second time has found something.
import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from '#scripts/house/chromium.ts'

const executablePath = findChromium()

const launchOptions = { args: [...chromiumFlags], ...(executablePath ? { executablePath } : {}) }

export default defineConfig({
  outputDir: '.cache/e2e',
  fullyParallel: true,
  // `npm run test:nightly` runs these.
  ...(process.env['NIGHTLY'] ? {} : { grepInvert: /@nightly/ }),
  forbidOnly: Boolean(process.env['CI']),
  // One more than the processors of a small machine: pages wait for animations and timers.
  workers: 3,
  retries: 0,
  // No measure of anything: some stories have many steps, and a busy machine is ten times slower.
  timeout: 300_000,
  expect: { timeout: 15_000 },
  reporter: [['line'], ['json', { outputFile: '.cache/reports/e2e.json' }]],
  use: {
    browserName: 'chromium',
    // An element that does not appear fails its step early, before the whole time of the test is spent.
    actionTimeout: 60_000,
    launchOptions,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // What was done, asked and answered; pictures of every step take a fifth of the run.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false, sources: false },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'dashboard', testDir: 'e2e', testIgnore: '**/e2e/session/**' },
    {
      name: 'session',
      testDir: 'e2e/session',
      // A name that is no secure context: there are no Web Locks on it. No traces: hundreds of rounds would fill them.
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
