// Vite plugin that writes compressed copies of every text file, so that the service compresses nothing at run time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Compresses the files of a build with gzip and brotli. */
export function precompressed(): Plugin {
  let outDir = ''
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved: ({ root, build }) => void (outDir = resolve(root, build.outDir)),
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
