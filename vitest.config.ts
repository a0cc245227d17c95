// Unit, service and repository tests. Each folder is a project, so that one side can be run alone: `vitest --project server`.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const project = (name: string) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx}`] },
})

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Most of them wait for something: two at a time, also where there are two processors.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project('contract'),
      project('server'),
      project('src'),
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
})
