// Vite configuration of the chat overlay and of widgets: pages without React for the browser of OBS, which is older than those of
// people (OBS 30 has Chrome 103).
import { defineConfig } from 'vite'
import { leanRealtime, plainImports } from './lean-realtime.ts'
import { precompressed } from './precompressed.ts'

export default defineConfig({
  root: 'src/overlay',
  base: '/overlay/',
  publicDir: false,
  plugins: [leanRealtime(), plainImports(), precompressed()],
  build: {
    target: 'chrome103',
    cssTarget: 'chrome103',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: { input: ['src/overlay/chat.html', 'src/overlay/widget.html', 'src/overlay/dock.html'] },
  },
})
