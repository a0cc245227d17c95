import { expect, test } from 'vitest'
import { scriptCommands } from './script-commands.ts'

test('names the server and the e-mail address, and leaves the password out', () => {
  const { signIn, call, refresh } = scriptCommands('https://live.example.com', "o'neil@example.com")
  const [first] = signIn.split('\n')
  expect(first).toBe(`base=https://live.example.com email='o'\\''neil@example.com' password='your password'`)
  expect(signIn).toContain('/auth/local/sign-in')
  expect(call).toContain('/method/project/list')
  expect(refresh).toContain('/method/auth/refresh-access')
})
