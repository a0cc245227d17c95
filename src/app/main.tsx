import '#src/styles/fonts.css'
import '#src/styles/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import * as z from 'zod/mini'
import { loadConfig } from '#src/lib/config.ts'
import { startI18n } from '#src/lib/i18n.ts'
import { boot } from './boot.ts'
import { createRouter } from './routes.tsx'

// The schema library would otherwise try to compile code, which the page's policy forbids and reports.
z.config({ jitless: true })

const config = await loadConfig()
await startI18n(config.language)
const session = boot(config)
void session.initialize()
const router = createRouter()

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
