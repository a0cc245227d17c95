// Mistakes in the files with settings: each with file, line and remedy.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkSettings } from './doctor-settings.ts'
import { changed, nearest, valuesOf } from './setting-lines.ts'

function settings(service: string, relay = 'RTMP_PORT=1935\n') {
  const etc = mkdtempSync(join(tmpdir(), 'relaydeck-etc-'))
  onTestFinished(() => rmSync(etc, { recursive: true }))
  writeFileSync(join(etc, 'relaydeck.env'), service, { mode: 0o640 })
  writeFileSync(join(etc, 'relay.env'), relay, { mode: 0o640 })
  return etc
}

test('finds nothing in right settings', () => {
  const text =
    '# A comment\n\nPORT=8080\nexport PUBLIC_URL="https://live.example.com"\nTZ=Europe/Paris\nRELAY_TRANSCODERS=0\n'
  expect(checkSettings(settings(text))).toEqual([])
})

test('names file and line of each mistake, and what to do', () => {
  const etc = settings(
    'PORT=8080\nPUBLIC_ULR=https://a.example\nPORT=http\nnonsense\nSOMETHING_ELSE=1\n',
    'RTMP_PORT=99999\n',
  )
  const file = join(etc, 'relaydeck.env')
  expect(checkSettings(etc).map(({ level, what, remedy }) => [level, what.split('. ', 1)[0], remedy])).toEqual([
    ['broken', `${file}:4 is neither NAME=value nor a comment`, 'Correct the line, or put # before it'],
    ['warning', `${file}:2: PUBLIC_ULR is no setting, and has no effect`, 'Write PUBLIC_URL'],
    ['warning', `${file}:3: PORT is set twice; the last line counts`, 'Remove one of them'],
    ['broken', `${file}:3: PORT is not valid, got "http"`, 'Correct PORT, then run: relaydeck install'],
    [
      'warning',
      `${file}:5: SOMETHING_ELSE is no setting, and has no effect`,
      'Remove it, or see docs/configuration.md',
    ],
    [
      'broken',
      `${join(etc, 'relay.env')}:1: RTMP_PORT is not valid, got "99999"`,
      'Correct RTMP_PORT, then run: relaydeck install',
    ],
  ])
})

test('repeats no secret, and finds a file that every user can read', () => {
  const etc = settings('SECRET=tooshort\n')
  chmodSync(join(etc, 'relaydeck.env'), 0o644)
  const findings = checkSettings(etc)
  expect(findings.map(({ what }) => what.split('.env')[1])).toEqual([
    ' can be read by every user, and holds secrets',
    expect.stringContaining(':1: SECRET is not valid. '),
  ])
  expect(JSON.stringify(findings)).not.toContain('tooshort')
})

test('changes keep comments, order and other values', () => {
  const text = '# Mine\nPORT=1\n\nHOST=::1\n'
  expect(changed(text, { PORT: '2', RELAY: 'off' })).toBe('# Mine\nPORT=2\n\nHOST=::1\nRELAY=off\n')
  expect(valuesOf(changed('', { A: '1' }))).toEqual({ A: '1' })
})

test('the nearest name is within two letters', () => {
  expect([nearest('prot', ['PORT', 'HOST']), nearest('DATABASE', ['PORT'])]).toEqual(['PORT', undefined])
})
