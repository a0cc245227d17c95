// Size of the session layer in a page, gzip.
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const core = ['src/session/session.ts', 'src/session/client.ts', 'src/session/return-to.ts']
const adapters = [
  'src/stores/session.ts',
  'src/api/require-session.ts',
  'src/api/query-client.ts',
  'src/api/session-query-provider.tsx',
]

// Production build: otherwise it contains React's development messages and local paths.
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'))
afterAll(() => void vi.unstubAllEnvs())

/** Size of a bundle of these files, without the frameworks that a page loads anyway. */
async function gzipOf(files: string[]): Promise<{ bytes: number; imports: string[] }> {
  const entry = 'virtual:entry'
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    // As in a page: the test runner's value would add the path of each file, which differs on every machine.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        external: /^(react|zustand|@tanstack|zod)/,
        preserveEntrySignatures: 'strict',
      },
    },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? `\0${entry}` : undefined),
        load: (id) => (id === `\0${entry}` ? files.map((file) => `export * from '/${file}'`).join('\n') : undefined),
      },
    ],
  })
  const [output] = [result].flat()
  if (!output || !('output' in output)) throw new Error('nothing was built')
  const { code, imports } = output.output[0]
  const stream = new Blob([code]).stream().pipeThrough(new CompressionStream('gzip'))
  return { bytes: (await new Response(stream).arrayBuffer()).byteLength, imports }
}

test('needs no dependency for core and client, and at most 11 KB with the adapters for store, queries and router', async () => {
  const { bytes, imports } = await gzipOf(core)
  expect(imports).toEqual([])
  expect(bytes).toBeGreaterThan(4000)
  const all = await gzipOf([...core, ...adapters])
  expect(all.imports.length).toBeGreaterThan(3)
  expect(all.bytes).toBeLessThanOrEqual(11 * 1024)
})
