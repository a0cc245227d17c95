// Vite plugin that writes the bundler's helpers, a file of 400 bytes that every other one imports, into the files that use them.
import { minifySync, type Plugin } from 'vite'

const helpers = /^assets\/rolldown-runtime-/

/**
 * Saves the request of the helpers. The names of the files have their hashes already, so no file may gain the name of another
 * one here: a browser that keeps files for a year would load the entry of an older release beside the current one.
 */
export function runtimeInside(): Plugin {
  return {
    name: 'runtime-inside',
    apply: 'build',
    generateBundle: {
      // Before Vite writes the preloads of the document.
      order: 'pre',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const runtime = chunks.find(({ fileName }) => helpers.test(fileName))
        if (!runtime) return this.error('The build has no file of helpers')
        const [, body = '', exported = ''] = /^([^]*)export\s*\{([^}]*)\};?\s*$/.exec(runtime.code) ?? []
        const locals = new Map([...exported.matchAll(/([\w$]+) as ([\w$]+)/g)].map(([, local, name]) => [name, local]))
        if (locals.size === 0) return this.error(`The helpers have another form: ${runtime.code}`)
        const file = runtime.fileName.slice(runtime.fileName.lastIndexOf('/') + 1)
        const use = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["']\\./${file}["'];?`)
        for (const chunk of chunks) {
          if (chunk === runtime) continue
          chunk.code = chunk.code.replace(use, (_, imported: string) => {
            const used = imported.split(',').map((one) => one.trim().split(' as ')[0] ?? '')
            const returned = used.map((name) => `${name}:${locals.get(name)}`).join()
            return `var{${imported.replaceAll(' as ', ':')}}=${smallest(`(()=>{${body}return{${returned}}})()`)};`
          })
          if (chunk.code.includes(file)) return this.error(`${chunk.fileName} uses the helpers in another form`)
          chunk.imports = chunk.imports.filter((path) => path !== runtime.fileName)
        }
        delete bundle[runtime.fileName]
      },
    },
  }
}

/** Returns an expression without what its value does not need: most files use one helper of three. */
function smallest(expression: string): string {
  const target = 'globalThis.$runtime='
  const { code } = minifySync('helpers.js', target + expression, { module: true })
  return code.replace(target, '').replace(/;$/, '')
}
