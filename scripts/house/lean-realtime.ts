// Vite plugins for the pages of OBS: the realtime client without what they do not use, and imports on demand without a loader of styles.
import { minifySync, type Plugin } from 'vite'

const client = /\/centrifuge\/build\/index\.mjs$/
/** Declarations by their first line: kinds of subscriptions, differences between publications, transports beside WebSocket. */
const unused = [
  'class MapSubscription extends BaseSubscription',
  'class SharedPollSubscription extends BaseSubscription',
  'function applyDelta(source, delta)',
  'class SockjsTransport',
  'class HttpStreamTransport',
  'class SseTransport',
  'class WebtransportTransport',
]

/** Makes the client a fifth smaller. The build fails when a version of the client has another form. */
export function leanRealtime(): Plugin {
  return {
    name: 'lean-realtime',
    apply: 'build',
    transform: {
      filter: { id: client },
      handler(code) {
        const without = unused.reduce((rest, first) => {
          const from = rest.indexOf(`\n${first} {\n`)
          const to = rest.indexOf('\n}\n', from)
          if (from < 0 || to < 0) return this.error(`The realtime client has no ${first}`)
          return `${rest.slice(0, from)}\n${first} {${rest.slice(to)}`
        }, code)
        // Names with an underscore are private: the client reads none of them from its options or from the wire.
        const lean = minifySync('centrifuge.js', without, {
          module: true,
          compress: false,
          mangle: false,
          mangleProps: { include: /^_/ },
        })
        if (lean.errors.length > 0) return this.error(lean.errors.map(({ message }) => message).join(' '))
        return { code: lean.code, map: null }
      },
    },
  }
}

/** Writes imports on demand as they are. Vite wraps them with a loader of styles, and these have none. */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
  }
}
