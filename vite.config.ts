import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { className, moduleFile, sharedFile, textsFile } from './scripts/house/page-files.ts'
import { precompressed } from './scripts/house/precompressed.ts'
import { runtimeInside } from './scripts/house/runtime-inside.ts'

/** Address of the service that `npm run dev` starts beside Vite. */
const service = `http://127.0.0.1:${process.env['PORT'] ?? 8080}`

export default defineConfig({
  plugins: [react(), runtimeInside(), precompressed()],
  css: { modules: { generateScopedName: className } },
  build: {
    // Targets with native light-dark(): a rewritten one would not follow the theme setting of the user.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // Read by the notices of a release.
    license: { fileName: '.vite/licenses.json' },
    modulePreload: {
      polyfill: false,
      // Preloads only new chunks: the document has already loaded the base, and texts have no imports.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !/\/(index|[\w-]+-(en|ru|cn))-/.test(file)),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: textsFile, debugName: 'texts', test: /\/locales\//, priority: 4 },
            { name: 'base', tags: ['$initial'], priority: 3 },
            // Not in the frame: pages without a form do not load it.
            {
              name: 'forms',
              test: /react-hook-form|components\/form\//,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // Reference pages alone convert schemas; the index of zod, which all pages load, names these modules as well.
            {
              name: 'json-schema',
              test: /zod\/v4\/core\/(?:to-json-schema|json-schema-)/,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            // Not in the frame: most pages have no chart, and no verdict on a broadcast.
            {
              name: 'chart',
              test: /src\/(?:components\/chart|ui\/chart\/(?!plot)|areas\/broadcasts\/verdict)/,
              includeDependenciesRecursively: false,
              priority: 3,
            },
            {
              name: sharedFile,
              debugName: 'shared',
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // Loaded with a page, and on demand by others.
            { name: 'connection', test: /src\/realtime\/connection\.ts/, priority: 1 },
            { name: 'qr-code', test: /src\/components\/qr-code\.tsx/, priority: 1 },
            { name: moduleFile, debugName: 'pages', includeDependenciesRecursively: false },
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
