// Sizes of the pages for OBS as a browser loads them: document, scripts, styles, and all texts of the largest language.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { leanRealtime } from '#scripts/house/lean-realtime.ts'

/** Bytes, compressed with gzip: browsers accept Brotli over HTTPS only, and OBS often loads the page from the same machine. */
const sizeMax = 30_000

const compressed = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).length

test('each page for OBS is smaller than 30 KB, compressed', async () => {
  const built = await build({
    configFile: 'scripts/house/overlay.config.ts',
    logLevel: 'warn',
    build: { outDir: mkdtempSync(join(tmpdir(), 'relaydeck-overlay-')) },
  })
  if (!('output' in built)) throw new Error('The build has several outputs')
  const chunks = built.output.filter((file) => file.type === 'chunk')
  const assets = built.output.filter((file) => file.type === 'asset')
  const chunkOf = (name: string) => {
    const found = chunks.find(({ fileName }) => fileName === name)
    if (!found) throw new Error(`There is no ${name}`)
    return found
  }
  const staticOf = (chunk: Rolldown.OutputChunk, all = new Set<Rolldown.OutputChunk>()) => {
    all.add(chunk)
    for (const name of chunk.imports) if (![...all].includes(chunkOf(name))) staticOf(chunkOf(name), all)
    return all
  }
  const sizes = assets
    .filter(({ fileName }) => fileName.endsWith('.html'))
    .map(({ fileName, source }) => {
      const html = String(source)
      const [script = ''] = /assets\/[\w-]+\.js/.exec(html) ?? []
      const [style = ''] = /assets\/[\w-]+\.css/.exec(html) ?? []
      const scripts = [...staticOf(chunkOf(script))]
      const languages = new Map<string, number>()
      for (const text of new Set(scripts.flatMap(({ dynamicImports }) => dynamicImports)).values()) {
        const { facadeModuleId, code } = chunkOf(text)
        const [, language = ''] = /\/locales\/(\w+)\//.exec(facadeModuleId ?? '') ?? []
        languages.set(language, (languages.get(language) ?? 0) + compressed(code))
      }
      const css = assets.find((one) => one.fileName === style)?.source ?? ''
      const files = [html, css, ...scripts.map(({ code }) => code)]
      const size = files.reduce((sum, content) => sum + compressed(content), 0) + Math.max(0, ...languages.values())
      return { fileName, size, languages: [...languages.keys()].toSorted(), isStyled: css.length > 0 }
    })
  const found = sizes.map(({ fileName, languages, isStyled }) => [fileName, [...languages, isStyled].join()])
  expect(Object.fromEntries(found)).toEqual({
    'chat.html': 'true',
    'dock.html': 'cn,en,ru,true',
    'widget.html': 'cn,en,ru,true',
  })
  for (const { fileName, size } of sizes) expect(size, fileName).toBeLessThan(sizeMax)
})

test('the build fails when the realtime client has another form', () => {
  const { transform } = leanRealtime()
  if (typeof transform !== 'object') throw new Error('The plugin has no hook')
  const fails = {
    error: (message: string) => {
      throw new Error(message)
    },
  }
  const source = readFileSync('node_modules/centrifuge/build/index.mjs', 'utf8')
  const run = (code: string) => Reflect.apply(transform.handler, fails, [code, 'centrifuge.js', {}]) as { code: string }
  const { code } = run(source)
  expect([code.includes('class SseTransport{}'), code.includes('_transport')]).toEqual([true, false])
  expect(() => run(source.replace('class SseTransport {', 'class EventTransport {'))).toThrow('SseTransport')
})
