// Tests of the plugin that writes the bundler's helpers into files whose names are already decided.
import { expect, test } from 'vitest'
import { runtimeInside } from '#scripts/house/runtime-inside.ts'

interface Chunk {
  readonly type: 'chunk'
  readonly fileName: string
  code: string
  imports: string[]
}

/** Runs the plugin over files by their paths. @throws the error that ends the build */
function build(files: Readonly<Record<string, string>>): Readonly<Record<string, Chunk>> {
  const bundle = Object.fromEntries(
    Object.entries(files).map(([fileName, code]): [string, Chunk] => [
      fileName,
      {
        type: 'chunk',
        fileName,
        code,
        imports: [...code.matchAll(/from"\.\/([^"]+)"/g)].map(([, at]) => `assets/${at}`),
      },
    ]),
  )
  const { generateBundle: hook } = runtimeInside()
  if (typeof hook !== 'object') throw new Error('The plugin has no hook')
  const fails = {
    error: (message: string) => {
      throw new Error(message)
    },
  }
  Reflect.apply(hook.handler, fails, [{}, bundle, true])
  return bundle
}

const runtime = 'var e=t=>({...t});export{e as n};'
const files = {
  'assets/rolldown-runtime-AAAA.js': runtime,
  'assets/index-BBBB.js': 'import{n as h}from"./rolldown-runtime-AAAA.js";export var a=h({b:1});',
  'assets/texts-CCCC.js': 'import{n as e}from"./rolldown-runtime-AAAA.js";export var t=e({c:2});',
}

test('gives no file the name of another one that its own name does not cover', async () => {
  const built = build(files)
  expect(Object.keys(built)).toEqual(['assets/index-BBBB.js', 'assets/texts-CCCC.js'])
  for (const { code, imports } of Object.values(built)) {
    expect(code).not.toMatch(/(index|texts|runtime)-/)
    expect(imports).toEqual([])
  }
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(built['assets/texts-CCCC.js']?.code ?? '')}`
  )) as {
    readonly t: object
  }
  expect(module.t).toEqual({ c: 2 })
})

test('ends the build when a file uses the helpers in another form', () => {
  const other = { ...files, 'assets/page-DDDD.js': 'import*as h from"./rolldown-runtime-AAAA.js";' }
  expect(() => build(other)).toThrow('assets/page-DDDD.js uses the helpers in another form')
})
