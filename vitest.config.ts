// Unit, service and repository tests. Each folder is a project, so that one side can be run alone: `vitest --project server`.
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
    // For a machine that does much else beside: who waits for something that does not come is told late, and that is all.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Most of them wait for something: two at a time, also where there are two processors.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project('contract'),
      project('server', { globalSetup: 'scripts/house/service-for-tests.ts' }),
      project('src'),
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
})
