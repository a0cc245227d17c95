// Vite plugin that moves the bundler's helpers, a file of 400 bytes that every other one imports, into the entry file.
import type { Plugin } from 'vite'

const helpers = /^assets\/rolldown-runtime-/

/** Saves the request of the helpers. They run before every file that imports them, because the entry loads those. */
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
        const [entry] = chunks.filter(({ isEntry }) => isEntry)
        if (!runtime || !entry) return this.error('The build has no file of helpers, or no entry')
        const [, body = '', exported = ''] = /^([^]*)export\s*\{([^}]*)\};?\s*$/.exec(runtime.code) ?? []
        const names = [...exported.matchAll(/([\w$]+) as ([\w$]+)/g)].map(([, local = '', name = '']) => ({
          name,
          local,
        }))
        if (names.length === 0) return this.error(`The helpers have another form: ${runtime.code}`)
        const nameOf = (name: string): string => `$runtime_${name}`
        // `t` alone imports it under its own name, which the chunk uses.
        const renamed = (imported: string): string =>
          imported.replace(
            /(^|,)\s*([\w$]+)(\s+as\s+[\w$]+)?/g,
            (_all, comma: string, name: string, alias = ` as ${name}`) => `${comma}${nameOf(name)}${alias}`,
          )
        const file = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
        const use = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["']\\./${file(runtime.fileName)}["'];?`)
        for (const chunk of chunks) {
          if (chunk === runtime) continue
          chunk.code = chunk.code.replace(use, (_, imported: string) =>
            chunk === entry
              ? `var{${imported.replaceAll(' as ', ':')}}=$runtime;`
              : `import{${renamed(imported)}}from"./${file(entry.fileName)}";`,
          )
          chunk.imports = [...new Set(chunk.imports.map((path) => (path === runtime.fileName ? entry.fileName : path)))]
        }
        const locals = names.map(({ name, local }) => `${name}:${local}`).join()
        const shared = names.map(({ name }) => `${nameOf(name)}=$runtime.${name}`).join()
        const again = names.map(({ name }) => nameOf(name)).join()
        entry.code = `var $runtime=(()=>{${body}return{${locals}}})(),${shared};export{${again}};${entry.code}`
        entry.imports = entry.imports.filter((path) => path !== entry.fileName)
        delete bundle[runtime.fileName]
      },
    },
  }
}
