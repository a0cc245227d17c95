// Releases: archives with the same bytes everywhere, pins and signatures.
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyLine, readKeys, sign, verify } from '#server/app/ops/minisign.ts'
import { compareVersions } from '#server/app/ops/release.ts'
import { argonOf, nodeOf, packagesBeside } from '#scripts/release/packages.ts'
import { tarGz } from '#scripts/release/tar.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'relaydeck-release-'))
const deep = `relaydeck/${'folder/'.repeat(14)}file-with-a-name.txt`
const files = [
  ['relaydeck/bin/run', { content: Buffer.from('#!/bin/sh\necho runs\n'), isProgram: true }],
  ['relaydeck/empty', { content: Buffer.alloc(0) }],
  [deep, { content: Buffer.alloc(1000, 'x') }],
] as const

test('an archive has the same bytes whatever the order of its files, and tar unpacks it', () => {
  const archive = tarGz(new Map(files), 1_795_000_000)
  expect(tarGz(new Map(files.toReversed()), 1_795_000_000).equals(archive)).toBe(true)
  const at = folder()
  writeFileSync(join(at, 'a.tar.gz'), archive)
  execFileSync('tar', ['-xzf', 'a.tar.gz'], { cwd: at })
  expect(execFileSync(join(at, 'relaydeck/bin/run'), { encoding: 'utf8' })).toBe('runs\n')
  expect(readFileSync(join(at, deep), 'utf8')).toBe('x'.repeat(1000))
  expect(statSync(join(at, deep)).mtimeMs).toBe(1_795_000_000_000)
})

test('pins Node for both architectures, at the version of the lockfile, and knows every package beside the bundles', () => {
  for (const arch of ['x64', 'arm64'] as const) {
    expect(nodeOf(arch).name).toBe(`node-linux-${arch}`)
    expect(argonOf(arch).integrity).toMatch(/^sha512-/)
  }
  const names = packagesBeside().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['@node-rs/argon2', 'pg', 'pg-protocol', 'pdfkit', 'dejavu-fonts-ttf']))
})

test('a signature is of one key over one file and its comment', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const other = generateKeyPairSync('ed25519').privateKey
  const keys = readKeys(`untrusted comment: keys\n${keyLine(other)}\n${keyLine(privateKey)}\n`)
  expect(keys).toHaveLength(2)
  const file = Buffer.from('a list of checksums\n')
  const signature = sign(file, privateKey, 'relaydeck 1.2.0')
  expect(verify(file, signature, keys)).toBe('relaydeck 1.2.0')
  expect(verify(Buffer.from('another list\n'), signature, keys)).toBeNull()
  expect(verify(file, signature.replace('1.2.0', '9.9.9'), keys)).toBeNull()
  expect(verify(file, signature, readKeys(keyLine(other)))).toBeNull()
  expect(verify(file, sign(file, other, 'relaydeck 1.2.0'), readKeys(keyLine(privateKey)))).toBeNull()
  for (const broken of ['', 'nonsense', signature.slice(0, 100)]) expect(verify(file, broken, keys)).toBeNull()
})

const hasMinisign = spawnSync('minisign', ['-v'], { stdio: 'ignore' }).status === 0

test.skipIf(!hasMinisign)('minisign verifies a signature', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const at = folder()
  writeFileSync(join(at, 'list'), 'a list\n')
  writeFileSync(join(at, 'list.minisig'), sign(Buffer.from('a list\n'), privateKey, 'relaydeck 1.2.0'))
  const args = ['-V', '-P', keyLine(privateKey), '-m', join(at, 'list')]
  expect(execFileSync('minisign', args, { encoding: 'utf8' })).toContain('relaydeck 1.2.0')
})

test('orders versions, pre-releases before their release', () => {
  const order = ['0.9.0', '0.10.0', '1.0.0-alpha', '1.0.0-beta', '1.0.0', '1.0.1']
  for (const [at, version] of order.entries())
    expect(order.map((other) => Math.sign(compareVersions(version, other)))).toEqual(
      order.map((_, other) => Math.sign(at - other)),
    )
})
