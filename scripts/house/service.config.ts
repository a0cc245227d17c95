// How Vite puts the service, its supervisor and the relay together: each one file and what it loads when it needs it. Beside the sources, which
// tests and `npm run dev` run as they are, this takes a seventh less memory, and half of the time to start (decision 0020).
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  ssr: {
    // A native program, and a driver that looks for one.
    external: ['@node-rs/argon2', 'pg'],
    noExternal: true,
  },
  build: {
    ssr: true,
    target: 'node24',
    // Errors name what people can look up.
    minify: false,
    rolldownOptions: {
      input: {
        service: 'server/app/main.ts',
        supervisor: 'server/app/start/supervisor.ts',
        relay: 'server/relay/main.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
