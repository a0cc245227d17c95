import '#src/styles/fonts.css'
import '#src/styles/global.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { loadConfig } from '#src/lib/config.ts'
import { startI18n } from '#src/lib/i18n.ts'
import { boot } from './boot.ts'
import { createRouter } from './routes.tsx'

void start()

/** A function, because a bundle with top-level await cannot be merged into few files. */
async function start(): Promise<void> {
  const config = await loadConfig()
  const session = boot(config)
  void session.initialize()
  // The router requests the page while the texts are loading.
  const router = createRouter()
  await startI18n(config.language)

  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  // A transition renders in slices: input is handled between them.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  )
  setTimeout(completeInstall, installAfterMs)
}

/** After the first view, whose data the browser would load later otherwise. Milliseconds. */
const installAfterMs = 3000

/** Adds the web app manifest, and keeps the files of the dashboard for a start without network. */
function completeInstall(): void {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
  )
  // The development server has no built files.
  if (import.meta.env.PROD) void import('#src/lib/service-worker.ts').then(({ keepFiles }) => keepFiles())
}
