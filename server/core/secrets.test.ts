// Random values and encrypted texts.
import { expect, test } from 'vitest'
import { derivedKey, randomToken, seal, unseal } from './secrets.ts'

test('creates unique random tokens of 256 bits', () => {
  const tokens = Array.from({ length: 10_000 }, randomToken)
  expect(new Set(tokens).size).toBe(tokens.length)
  expect(tokens.filter((token) => Buffer.from(token, 'base64url').length !== 32)).toEqual([])
  // Uninitialised bytes would be zero.
  expect(tokens.filter((token) => Buffer.from(token, 'base64url').includes(Buffer.alloc(8)))).toEqual([])
})

test('seals a text differently each time, and opens it only with its key', () => {
  const [key, other] = [derivedKey('secret', 'one'), derivedKey('secret', 'two')]
  const sealed = Array.from({ length: 1000 }, () => seal(key, 'text'))
  // The nonce must be unique under one key.
  expect(new Set(sealed.map((text) => text.slice(0, 16))).size).toBe(sealed.length)
  expect(sealed.every((text) => unseal(key, text) === 'text')).toBe(true)
  expect(() => unseal(other, sealed[0] ?? '')).toThrow('authenticate')
})
