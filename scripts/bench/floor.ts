// Minimum size of the stack: the smallest application with React, the router, the query client and a store, built with
// the same Vite. No dashboard on this stack can be smaller.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const page = `<!doctype html><html lang="en"><head><title>Floor</title></head>
<body><div id="root"></div><script type="module" src="/main.js"></script></body></html>`

const program = `
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Link, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { create } from 'zustand'

const useCount = create((set) => ({ count: 0, more: () => set((state) => ({ count: state.count + 1 })) }))
function Home() {
  const { count, more } = useCount()
  const { data } = useQuery({ queryKey: ['x'], queryFn: () => fetch('/x').then((answer) => answer.json()) })
  const { mutate } = useMutation({ mutationFn: () => fetch('/x', { method: 'POST' }) })
  return h('main', null, h('button', { onClick: more }, count), h('button', { onClick: () => mutate() }, String(data)))
}
const router = createBrowserRouter([
  { path: '/', element: h('div', null, h(Link, { to: '/' }, 'Home'), h(Outlet)), children: [{ index: true, element: h(Home) }] },
])
createRoot(document.getElementById('root')).render(
  h(QueryClientProvider, { client: new QueryClient() }, h(RouterProvider, { router })),
)
`

/** Builds the application. @returns the size of its JavaScript */
export async function floor(): Promise<{ gzip: number; brotli: number }> {
  const root = resolve('.cache/bench/floor')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'index.html'), page)
  writeFileSync(join(root, 'main.js'), program)
  await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'dist', emptyOutDir: true } })
  const assets = join(root, 'dist', 'assets')
  const scripts = readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(assets, name)))
  return {
    gzip: scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0),
    brotli: scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0),
  }
}
