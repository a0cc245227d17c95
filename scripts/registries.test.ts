// Registries, `*.gen.ts`, list what the tree declares.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generated, textOf } from './house/registries.ts'
import { monitoringFiles } from './monitoring/files.ts'

test('every generated file is up to date (npm run generate), and no other has the name of one', async () => {
  const files: string[] = []
  for await (const [file, text] of generated()) {
    files.push(file)
    expect(readFileSync(file, 'utf8'), file).toBe(text)
  }
  const named = globSync('{contract,integrations,server,src}/**/*.gen.ts')
    .concat(Object.keys(monitoringFiles))
    .map((file) => file.replaceAll('\\', '/'))
  expect([...named, 'docs/configuration.md'].toSorted()).toEqual(files.toSorted())
})

test('a registry lists declarations by their own key, else by path', () => {
  const keyed = {
    file: 'x.gen.ts',
    name: 'xs',
    about: 'All.',
    from: 'contract/areas/account/*.ts',
    as: 'value',
  } as const
  const groups = textOf({ ...keyed, declared: /^export const (?<name>\w+) = group\(\s*'(?<key>[^']+)'/gm })
  expect(groups).toContain(
    "import { profile as accountProfile, usersProfile as accountUsersProfile } from '#contract/areas/account/profile.ts'",
  )
  expect(groups).toContain("  'account.usersProfile': accountUsersProfile,\n")
  const lazy = textOf({ ...keyed, declared: /^export const (?<name>auth) = group\(/gm, as: 'load' })
  expect(lazy).toContain(
    "export const xs = {\n  auth: async () => (await import('#contract/areas/account/auth.ts')).auth,\n}",
  )
})

test('two declarations of one key are refused', () => {
  const twice = {
    file: 'x.gen.ts',
    name: 'xs',
    about: 'All.',
    from: 'contract/areas/account/profile.ts',
    as: 'value',
  } as const
  expect(() => textOf({ ...twice, declared: /^export const (?<name>\w+) = group\(/gm })).toThrow('is declared twice')
})
