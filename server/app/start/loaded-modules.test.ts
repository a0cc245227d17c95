// Modules that the idle service has loaded: chat, bot, payments, push, search and PDF load with their first use, so that an
// installation without them pays no memory.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program, serviceProcess, type ServiceProcess } from '#server/testing/process.ts'

/** Text that the built code of each module contains. */
const marks = {
  'server/chat': 'ChatRefused = class',
  grammy: 'GrammyError = class',
  twurple: 'class ApiClient',
  'web-push': 'WebPushError',
  minisearch: 'MiniSearch',
  stripe: 'api.stripe.com',
} as const

/** Prints the name of each loaded file. */
const hook = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (console.log('loaded ' + url), next(url, context)) })`

const folder = join(program, '..')
let service: ServiceProcess
let loaded: readonly string[]
beforeAll(async () => {
  service = serviceProcess({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` })
  const { url } = await service.start()
  await (await fetch(`${url}/readyz`)).text()
  loaded = [...service.printed().matchAll(/^loaded (\S+)$/gm)].map(([, file = '']) => file)
})
afterAll(() => service.close())

const filesWith = (mark: string): string[] =>
  readdirSync(folder).filter((file) => file.endsWith('.js') && readFileSync(join(folder, file), 'utf8').includes(mark))

test.each(Object.entries(marks))('does not load %s at start', (_, mark) => {
  const files = filesWith(mark)
  expect(files).not.toEqual([])
  expect(files.filter((file) => loaded.some((url) => url.endsWith(`/${file}`)))).toEqual([])
})

test('does not load PDFKit at start', () => {
  expect(loaded.some((url) => url.endsWith('/service.js'))).toBe(true)
  expect(loaded.filter((url) => url.includes('/pdfkit/'))).toEqual([])
})
