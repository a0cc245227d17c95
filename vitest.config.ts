// Vitest: unit, service and repository tests. Each project can run alone: `vitest --project server`.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const temporary = resolve(import.meta.dirname, 'scripts/house/temporary-folder.ts')

/** Slow tests, most of which wait for real leases. `npm run test:nightly` runs them. */
const ofTheNight = process.env['NIGHTLY'] ? [] : ['**/*.night.test.ts']

const project = (name: string, more = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`${name}/**/*.test.{ts,tsx}`],
    exclude: ofTheNight,
    globalSetup: [temporary],
    ...more,
  },
})

/** Files of a worker share modules: loading the service for each file takes as long as its tests. */
const shared = { isolate: false } as const

/** Tests with real streams, child processes and signals. Each file has its own process. */
const streams = [
  'server/relay/*.test.ts',
  'server/relay/{library,programs,recording}/*.test.ts',
  'server/app/{media,nodes,start}/*.test.ts',
]

/** Node imports the files itself, with its cache of compiled code. Vite's transforms and `vi.mock` do not work there. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const

const service = { globalSetup: [temporary, 'scripts/house/service-for-tests.ts'] }

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubGlobals: true,
    // Long timeouts for busy machines. A passing test waits for events, not for timeouts; an event that does not happen is
    // named by its own, shorter timeout.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Only `npm test` sets it: runs by hand and at night show a flaky test as failed.
    retry: Number(process.env['TEST_RETRIES'] ?? 0),
    expect: { poll: { timeout: 60_000 } },
    // Twice the cores of a small machine: tests of the relay mostly wait.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      // Vitest starts the projects by name. Those that mostly wait come early, beside the static checks.
      project('contract', { ...native, ...shared }),
      project('media', { ...native, ...service, include: streams }),
      project('server', { ...native, ...service, ...shared, exclude: [...streams, ...ofTheNight] }),
      project('src', { ...shared, include: ['src/**/*.test.ts'] }),
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['src/**/*.test.tsx'],
          environment: './src/testing/page-environment.ts',
          setupFiles: 'src/testing/browser-gaps.ts',
          globalSetup: [temporary],
          // Every test opens its own page and session.
          ...shared,
        },
      },
      project('integrations', { ...native, ...shared }),
      project('scripts', native),
    ],
  },
})
