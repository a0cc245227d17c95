import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Namespaces that are never needed alone, by the name of the file that they share. */
const together: Readonly<Record<string, string>> = {
  common: 'common',
  parts: 'common',
  home: 'live',
  live: 'live',
}

/** The file that texts go to. */
function textsOf(path: string): string {
  const [, language = '', namespace = ''] = /locales\/(\w+)\/([\w-]+)\.json/.exec(path) ?? []
  return `${together[namespace] ?? namespace}-${language}`
}

/** The service that `npm run dev` starts beside Vite. */
const service = `http://127.0.0.1:${process.env['PORT'] ?? 8080}`

/** Every text file beside its compressed forms, so that the service compresses nothing while it runs. */
function precompressed(): Plugin {
  let outDir = ''
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved: ({ build }) => void (outDir = build.outDir),
    closeBundle() {
      const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => /\.(js|css|html|svg|json|webmanifest|txt)$/.test(name))) {
        const path = join(outDir, file)
        const content = readFileSync(path)
        if (content.byteLength < 256) continue
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength }
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }))
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), precompressed()],
  build: {
    // light-dark() stays as it is: rewritten, it would no longer follow the theme that a person chose.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What the document asks for is there already, and texts come at once: they ask for nothing else.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html'
          ? files
          : files.filter((file) => !/\/(index|rolldown-runtime|[\w-]+-(en|ru|cn))-/.test(file)),
    },
    rolldownOptions: {
      output: {
        // Few files to a usable page: what every visitor needs is one (the entry with all that it imports), what signed-in
        // people need on every page is another (the shell with all that it imports, and what most pages have in common),
        // the component library is a third for the pages with forms. Pages split by themselves. Nothing may wait at the
        // top of a module (`await`): the bundler would then leave a file of one line for each of these.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 4 },
            // The door, for those who are not signed in.
            {
              name: 'sign-in',
              test: /app\/sign-in\/(sign-in-page|entrance|begin|use-why|provider-mark)\./,
              priority: 4,
            },
            {
              name: 'signed-in',
              test: /app\/shell\/shell\.|@tanstack(?!.*[qQ]ueries)|src\/(api\/(?!after-write)|stores|lib\/(?!table-file))|src\/components\/(bitrate|date-stamp|failure|use-may-edit|money-amount|query-part|tab-links)\.|src\/ui\/(dialog|card|fact-list|confirm-dialog)\.|contract\/areas\/tariffs\/slots/,
              priority: 3,
            },
            // What a running broadcast is shown with at first; what is known of broadcasts beside that is the next.
            {
              name: 'live',
              test: /contract\/(areas\/broadcasts\/air|entities\/(on-air|platform-types))\.|src\/(areas\/broadcasts\/(elapsed|restream-badge|use-status|use-event-words)|components\/(platform-|use-platform)|ui\/(badge|row-list))|IconPlayer/,
              priority: 2,
            },
            // With what it sells: in a file of its own that would be one more to wait for.
            {
              name: 'tariffs-page',
              test: /contract\/areas\/tariffs|src\/areas\/tariffs\/tariffs-page/,
              priority: 2,
            },
            {
              name: 'library',
              test: /@base-ui|@floating-ui|use-sync-external-store|reselect|src\/ui\/combo/,
              priority: 2,
            },
            {
              name: 'stream',
              test: /contract\/areas\/(broadcasts|ingest\/stream-keys|channels\/(channels|platforms|address))|src\/(areas\/(broadcasts\/broadcast-line|channels\/use-switch|ingest\/addresses)|api\/after-write)/,
              priority: 1,
            },
            {
              name: 'chart',
              test: /src\/(components\/chart|ui\/chart\/(?!plot)|areas\/broadcasts\/bitrate-graph)/,
              priority: 1,
            },
            { name: 'kit', test: /src\/(ui\/(?!chart|player)|components\/(pager|invite-link))/, priority: 1 },
            // Texts that a page needs together are one file for each language.
            { name: textsOf, debugName: 'texts', test: /src\/locales\//, priority: 5 },
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
        ['/method', '/auth/local', '/files', '/config.json', '/openapi.json', '/healthz'].map((path) => [
          path,
          service,
        ]),
      ),
    },
  },
})
