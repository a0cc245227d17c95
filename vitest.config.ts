// Vitest: unit, service and repository tests. Each folder is a project and can run alone: `vitest --project server`.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const project = (name: string, more = {}) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx}`], ...more },
})

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubGlobals: true,
    // Long timeouts for busy machines. A passing test waits for events, not for timeouts.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Only `npm test` sets it: runs by hand and at night show a flaky test as failed.
    retry: Number(process.env['TEST_RETRIES'] ?? 0),
    expect: { poll: { timeout: 20_000 } },
    // Twice the cores of a small machine: tests of the relay mostly wait.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      project('contract'),
      project('server', { globalSetup: 'scripts/house/service-for-tests.ts' }),
      project('src', { include: ['src/**/*.test.ts'] }),
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['src/**/*.test.tsx'],
          environment: './src/testing/page-environment.ts',
          setupFiles: 'src/testing/browser-gaps.ts',
          // Files share modules, which are most of the load time; every test opens its own page and session.
          isolate: false,
          testTimeout: 240_000,
        },
      },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
})
