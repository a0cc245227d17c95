// What the session layer costs a page, gzip. The numbers are ceilings: lower them when the code gets smaller.
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const core = ['src/session/session.ts', 'src/session/client.ts', 'src/session/return-to.ts']
const adapters = [
  'src/stores/session.ts',
  'src/api/require-session.ts',
  'src/api/query-client.ts',
  'src/api/session-query-provider.tsx',
]

// As it is built for people: otherwise what React says about mistakes is in it, with the folder that the files are in.
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'))
afterAll(() => void vi.unstubAllEnvs())

/** Size of a bundle of these files, without the frameworks that a page has anyway. */
async function gzipOf(files: string[]): Promise<{ bytes: number; imports: string[] }> {
  const entry = 'virtual:entry'
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    // As a page gets it: under a test runner there would be the path of each file in it, which is another one everywhere.
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

test('core and client: no dependency, and not more than 8.4 KB', async () => {
  const { bytes, imports } = await gzipOf(core)
  expect(imports).toEqual([])
  expect(bytes).toBeLessThan(8400)
  expect(bytes).toBeGreaterThan(4000)
})

test('with the adapters for store, queries and router: not more than 9.5 KB', async () => {
  const { bytes, imports } = await gzipOf([...core, ...adapters])
  expect(imports.length).toBeGreaterThan(3)
  expect(bytes).toBeLessThan(9500)
})
