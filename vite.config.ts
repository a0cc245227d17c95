import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompressed } from './scripts/house/precompressed.ts'

/** Namespaces that share a file, by the name of that file. */
const together: Readonly<Record<string, string>> = {
  common: 'common',
  parts: 'common',
  home: 'live',
  live: 'live',
}

/** Returns the name of the file that a text goes to. */
function textsOf(path: string): string {
  const [, language = '', namespace = ''] = /locales\/(\w+)\/([\w-]+)\.json/.exec(path) ?? []
  return `${together[namespace] ?? namespace}-${language}`
}

/** Address of the service that `npm run dev` starts beside Vite. */
const service = `http://127.0.0.1:${process.env['PORT'] ?? 8080}`

export default defineConfig({
  plugins: [react(), precompressed()],
  build: {
    // Targets with native light-dark(): a rewritten one would not follow the theme setting of the user.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // Preloads only new chunks: the document has already loaded the base, and texts have no imports.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html'
          ? files
          : files.filter((file) => !/\/(index|rolldown-runtime|[\w-]+-(en|ru|cn))-/.test(file)),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file per language for texts that a page needs together.
            { name: textsOf, debugName: 'texts', test: /\/locales\/(en|ru|cn)\//, priority: 2 },
            { name: 'base', tags: ['$initial'], priority: 1 },
            // Not in `shared`: pages without a form do not load it.
            { name: 'forms', test: /react-hook-form|components\/form\//, includeDependenciesRecursively: false },
            // Few files: a request costs more than 10 KB on a line of 150 ms (docs/decisions/0067).
            { name: 'icons', test: /@tabler\/icons-react\/dist/, minShareCount: 3 },
            { name: 'shell', test: /src\/app\/shell\/(shell|bell|session-end)\.tsx/ },
            { name: 'shared', minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/connection': { target: service, ws: true },
      ...Object.fromEntries(
        ['/method', '/auth/local', '/files', '/config.json', '/openapi.json', '/healthz', '/overlay'].map((path) => [
          path,
          service,
        ]),
      ),
    },
  },
})
